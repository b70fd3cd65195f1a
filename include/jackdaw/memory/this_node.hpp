#pragma once

#include <memory>
#include <optional>

#include "jackdaw/machine.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// The memory node at home with whoever calls, as the operating system numbers it: the worker's, as its machine has it;
/// on other threads that of the CPU it is on at the moment. None where the system does not tell.
std::optional<unsigned> this_node() noexcept;

namespace detail {

/// The machine of the calling worker's runtime; on other threads this computer, or the described one in its place.
std::shared_ptr<const machine> machine_here();

/// Whether the scheduler that a loop of the caller would run under gives its first blocks to the last workers, as ADWS
/// does, and not to the first ones.
bool loops_run_backwards();

}  // namespace detail
}  // namespace jackdaw

#pragma GCC visibility pop
