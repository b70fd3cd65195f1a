#pragma once

#include <memory>
#include <optional>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/machine.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Returns the home memory node of the calling thread, by the operating system's number.
///
/// For a worker this is the home node of its core, as the runtime's machine has it. For another thread it is the node
/// of the CPU that the thread runs on at the moment. The result is empty if the system does not tell.
std::optional<unsigned> this_node() noexcept;

namespace detail {

/// The machine of the calling worker's runtime; on other threads this computer, or the described one in its place.
std::shared_ptr<const machine> machine_here();

/// Whether the scheduler that a loop of the caller would run under gives its first blocks to the last workers, as ADWS
/// does, and not to the first ones.
bool loops_run_backwards();

}  // namespace detail
}  // namespace jackdaw

JACKDAW_EXPORT_END
