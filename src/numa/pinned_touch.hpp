#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "numa/node_view.hpp"
#include "numa/plan.hpp"

namespace jackdaw::numa {

/// Writes to each base page of [first, last), which no other thread uses yet.
void touch(std::byte* first, std::byte* last) noexcept;

/// Places a piece of fresh memory on its nodes without a system call for it: threads pinned to the nodes' CPUs touch
/// its pages, in turn if it is interleaved. A node without a usable CPU is out of reach; threads nearby then touch its
/// pages. `data` is the object's begin, `page` the unit of taking turns. Returns whether all nodes could be reached.
bool touch_pinned(std::byte* data, const planned_piece& piece, std::size_t page, const memory_view& view);

/// Restricts the calling thread to these CPUs; false if that is not possible.
bool pin_this_thread(const std::vector<unsigned>& os_cpus);

/// Calls f on a thread that is restricted to these CPUs; returns false without calling f if that is not possible.
bool on_cpus(const std::vector<unsigned>& os_cpus, const std::function<void()>& f);

}  // namespace jackdaw::numa
