#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <jackdaw/access.hpp>

#include "kernels/common/graph.hpp"

namespace jackdaw::kernels {

/// A task's reads at many places of an array, in few declarations. The number of cache lines, each counted once, is
/// exact. So are the beginning and end of each sixteenth of them, in the order of addresses. Within a sixteenth the
/// lines are assumed to be evenly spread, so that one declaration with a stride covers it.
class scattered_reads {
 public:
  static constexpr std::size_t most_groups = 16;

  /// For the elements at these indices of an array. A cache line holds `per_line` elements, and the first begins a
  /// line.
  scattered_reads(std::span<const vertex> indices, std::size_t per_line);

  /// Declares them.
  template <class T>
  void declare(const T* array) const {
    for (const group& each : groups_) jackdaw::reads(array + each.first, each.lines, 1, each.stride);
  }

 private:
  /// One element in each of `lines` lines; `first` and `stride` count elements.
  struct group {
    std::size_t first, lines, stride;
  };
  std::vector<group> groups_;
};

/// The reads of tasks, at the targets of their vertices' edges, in an array of T with an element for each vertex.
/// Computed before the run, because this takes longer than the tasks; skipped unless accesses are recorded.
template <class T>
class neighbour_reads {
 public:
  /// Computes the reads of the task of vertices first..last-1. Any number of calls may run at once.
  void learn(const graph& g, vertex first, vertex last) {
    if (!detail::access_is_heard()) return;
    scattered_reads found(g.targets(first, last), per_line);
    const std::scoped_lock lock(mutex_);
    known_.insert_or_assign({first, last}, std::move(found));
  }

  /// Declares that task's reads of `array`. Must not run at the same time as learning.
  void declare(const graph& g, vertex first, vertex last, const T* array) const {
    if (!detail::access_is_heard()) return;
    const auto known = known_.find({first, last});
    known != known_.end() ? known->second.declare(array)
                          : scattered_reads(g.targets(first, last), per_line).declare(array);
  }

 private:
  static constexpr std::size_t per_line = 64 / sizeof(T);

  std::mutex mutex_;
  std::map<std::pair<vertex, vertex>, scattered_reads> known_;
};

}  // namespace jackdaw::kernels
