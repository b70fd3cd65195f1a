#pragma once

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Writes the state of each worker of each runtime to a file descriptor: at the end of a test that hangs, or from a
/// debugger. Safe in a signal handler. The state of a running worker is only a snapshot.
void dump_workers(int file) noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
