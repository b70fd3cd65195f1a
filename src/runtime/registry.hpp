#pragma once

namespace jackdaw::detail {

class threads;

/// Adds an engine to those of this process, or removes it; for dump_workers().
void enlist(threads& running);
void discharge(threads& running) noexcept;

}  // namespace jackdaw::detail
