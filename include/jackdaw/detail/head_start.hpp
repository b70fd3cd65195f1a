#pragma once

#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/placed_branch.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// What the thread that calls a loop outside of tasks does of it before any worker may help: steps from the front.
///
/// If all workers of the default runtime are busy with other roots, it does so for 0.1 ms: a short loop is over before
/// any worker would have looked up. A long one becomes a root then, and gets its share of the workers in turns. After
/// more time pages that the loop touches first would lie where the thread is, and workers that are free again would
/// have nothing to do.
///
/// Otherwise the loop becomes a root at once. If the thread stands in for a worker there, the root begins with such
/// steps for 3 us, about the time that it takes until a theft has paid: a loop that ends before costs no theft.
class head_start {
 public:
  /// Loops with smaller leaves get none: their elements may take long. With as many elements in a leaf, one element is
  /// at most 1/128 of what the loop takes on all workers, and that is all that workers may have to wait.
  static constexpr std::size_t least_leaf = 16;

  /// Whether the calling thread is outside of tasks.
  static bool outside() noexcept;

  /// Returns how many elements the calling thread is to run itself now, at most `most`; 0, and from then on, none. The
  /// steps grow as long as they take little time. In tasks: 0 unless the thread stands in.
  [[gnu::cold]] std::size_t next(std::size_t left, std::size_t most) noexcept;

  /// Runs the loop as a root of the default runtime.
  static void run(const placed_branch& loop);

 private:
  std::int64_t begun_ = 0, last_ = 0;  // ns of the steady clock
  std::size_t step_ = 1;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
