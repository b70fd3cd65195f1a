#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "numa/node_view.hpp"
#include "numa/plan.hpp"

namespace jackdaw::numa {

/// Writes to each base page of [first, last), which nobody else uses yet.
void touch(std::byte* first, std::byte* last) noexcept;

/// Puts a piece of fresh memory on its nodes without asking the kernel to: threads that are pinned to their CPUs touch
/// its pages, in turn where it is interleaved. A node without a CPU that may be used is out of reach; then threads
/// nearby touch its pages. `data` is the object's begin, `page` the unit of taking turns. Returns whether all nodes
/// could be reached.
bool touch_pinned(std::byte* data, const planned_piece& piece, std::size_t page, const memory_view& view);

/// The calling thread runs on these CPUs only from now on; false: that is not possible.
bool pin_this_thread(const std::vector<unsigned>& os_cpus);

/// Calls f on a thread that may run on these CPUs only; false, without a call, where that is not possible.
bool on_cpus(const std::vector<unsigned>& os_cpus, const std::function<void()>& f);

}  // namespace jackdaw::numa
