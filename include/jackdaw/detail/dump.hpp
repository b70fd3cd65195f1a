#pragma once

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Writes to a file descriptor where each worker of each runtime is: for the end of a test that hangs, and for a
/// debugger. Safe in a signal handler. What is printed of a running worker is a moment's view.
void dump_workers(int file) noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
