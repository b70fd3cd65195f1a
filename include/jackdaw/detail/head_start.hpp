#pragma once

#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// What a thread outside of tasks does of its loop itself, as long as all workers of the default runtime are busy with
/// other roots: steps from the front, for 0.1 ms. A short loop is over before any worker would have looked up. A long
/// one becomes a root then, and gets its share of the workers in turns. After more time pages that the loop touches
/// first would lie where the thread is, and workers that are free again would have nothing to do.
class head_start {
 public:
  /// Loops with smaller leaves get none: their elements may take long. With as many elements in a leaf, one element is
  /// at most 1/128 of what the loop takes on all workers, and that is all that workers may have to wait.
  static constexpr std::size_t least_leaf = 16;

  /// Returns how many elements the calling thread is to run itself now, at most `most`; 0, and from then on, none. The
  /// steps grow as long as they take little time. 0 in tasks.
  [[gnu::cold]] std::size_t next(std::size_t most) noexcept;

 private:
  std::int64_t begun_ = 0, last_ = 0;  // ns of the steady clock
  std::size_t step_ = 1;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
