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

/// What a task reads of an array at many places, for few declarations. Exact: how many cache lines it reads, each once,
/// and where each sixteenth of them, in the order of addresses, begins and ends. Within a sixteenth lines are taken to
/// be evenly spread: so is a declaration for each sixteenth that reads a line of every so many.
class scattered_reads {
 public:
  static constexpr std::size_t most_groups = 16;

  /// For the elements at these indices of an array of which a cache line holds `per_line`; its first one begins a line.
  scattered_reads(std::span<const vertex> indices, std::size_t per_line);

  /// Declares them.
  template <class T>
  void declare(const T* array) const {
    for (const group& each : groups_) jackdaw::reads(array + each.first, each.lines, 1, each.stride);
  }

 private:
  /// One element in each of so many lines; `first` and `stride` count elements.
  struct group {
    std::size_t first, lines, stride;
  };
  std::vector<group> groups_;
};

/// What tasks read of an array of T with an element for each vertex, where the edges of their own vertices lead. Found
/// out before the program's run, since it takes longer than the tasks: nothing at all unless somebody listens.
template <class T>
class neighbour_reads {
 public:
  /// Finds out for the task of vertices first..last-1. Any number of calls may run at once.
  void learn(const graph& g, vertex first, vertex last) {
    if (!detail::access_is_heard()) return;
    scattered_reads found(g.targets(first, last), per_line);
    const std::scoped_lock lock(mutex_);
    known_.insert_or_assign({first, last}, std::move(found));
  }

  /// Declares what that task reads of `array`. Not while anything is learnt.
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
