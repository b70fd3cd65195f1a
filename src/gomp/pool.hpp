#pragma once

#include <memory>
#include <vector>

#include "gomp/carrier.hpp"
#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// What a thread that opens regions keeps between them: the threads that its members run on, and the teams. The n-th
/// member of a region is on the same thread each time, so what belongs to threads persists. Regions inside of regions
/// of the same thread use what the outer ones have left: the pool is a stack.
class pool {
 public:
  static pool& of_this_thread() noexcept;

  /// The thread's own team of one, outside of all regions that it opens.
  team& alone() noexcept { return *alone_; }

  /// Takes a team for n members and n - 1 threads for it.
  team& open(unsigned n);
  /// The thread of that member of the team that was opened last.
  carrier& carries(unsigned id) noexcept { return *carriers_[used_ - last().size + id]; }
  /// Gives back what was taken last.
  void close() noexcept;

  /// Ends the threads that are not workers, unless they are members of regions.
  void pause() noexcept;

  /// Called when the thread ends.
  static void leave(void* pool) noexcept;
  /// Called in the child of a fork(): none of the threads exist.
  static void forget_all() noexcept;

 private:
  pool();
  team& last() noexcept { return *open_.back(); }

  team* alone_;
  std::vector<carrier*> carriers_;
  std::size_t used_ = 0;
  std::vector<team*> open_;
  std::vector<team*> closed_;
};

}  // namespace jackdaw::gomp
