#pragma once

namespace jackdaw::detail {

class threads;

/// The engines of this process, for dump_workers().
void enlist(threads& running);
void discharge(threads& running) noexcept;

}  // namespace jackdaw::detail
