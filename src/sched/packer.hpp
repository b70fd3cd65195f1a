#pragma once

#include <cstdint>

#include "sched/profile.hpp"

namespace jackdaw::sched {

/// Groups a profiled tree into subtrees that fit a squad's shared cache (LAWS 3.3). The tops of subtrees, CF root
/// tasks, get profile::packed. The region's root is never one.
class packer {
 public:
  /// The lines that a task is taken to use: those that its private caches missed, as the paper has it, or those that
  /// came from memory. What several workers use is counted for each of them in the former, and once in the latter.
  enum class lines : std::uint8_t { missed, from_memory };

  /// Computes footprints from the counts (Eq. 2), with 64 bytes for each line. If there was no miss, divides `data`,
  /// the bytes that the region works on, by the tasks' shares. Then finds the first packing: the largest subtrees that
  /// lie within a squad and need at most `shared_cache` bytes, and leaves.
  packer(profile& root, std::uint64_t shared_cache, std::uint64_t data, lines used = lines::missed);

  /// Packs again. `step` 0: the first packing; above 0, the children of its subtrees, so many levels down as there are;
  /// below 0, their parents, so many levels up as lie within a squad (Algorithm 1).
  void pack(int step);

  /// How far down and up `step` makes a difference.
  int deepest() const noexcept { return deepest_; }
  int highest() const noexcept { return highest_; }
  /// False: there was no miss, and footprints are parts of the data size.
  bool counted() const noexcept { return counted_; }

 private:
  profile& root_;
  bool counted_;
  int deepest_ = 0;
  int highest_ = 0;
};

}  // namespace jackdaw::sched
