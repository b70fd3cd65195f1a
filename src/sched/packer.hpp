#pragma once

#include <cstdint>

#include "sched/profile.hpp"

namespace jackdaw::sched {

/// Groups a profiled tree into subtrees that fit a squad's shared cache (LAWS 3.3): the tops of subtrees, CF root
/// tasks, get profile::packed. The region's root itself is none.
class packer {
 public:
  /// Computes footprints from the counts (Eq. 2), each miss being a line of 64 bytes; if nothing was missed anywhere,
  /// from `data`, the bytes that the region works on, by the tasks' shares. Then finds the first packing: subtrees that
  /// lie within a squad and do not need more than `shared_cache` bytes, under parents that do.
  packer(profile& root, std::uint64_t shared_cache, std::uint64_t data);

  /// Packs anew. `step` 0: the first packing; above, its subtrees' children, so many levels down as there are; below,
  /// their parents, so many levels up as lie within a squad (Algorithm 1).
  void pack(int step);

  /// How far down and up `step` makes a difference.
  int deepest() const noexcept { return deepest_; }
  int highest() const noexcept { return highest_; }
  /// False: nothing was missed, and footprints are parts of the data size.
  bool counted() const noexcept { return counted_; }

 private:
  profile& root_;
  bool counted_;
  int deepest_ = 0;
  int highest_ = 0;
};

}  // namespace jackdaw::sched
