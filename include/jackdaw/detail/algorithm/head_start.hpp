#pragma once

#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// What a thread outside of tasks does of its loop itself, as long as all workers of the default runtime are busy with
/// other roots: leaves from the front, for 0.1 ms. A short loop is over before any worker would have looked up. A long
/// one becomes a root then, and gets its share of the workers in turns. Longer, and pages that the loop touches first
/// would lie where the thread is.
class head_start {
 public:
  /// Whether the calling thread is to run one more leaf itself. False in tasks.
  [[gnu::cold]] bool goes_on() noexcept;

 private:
  std::int64_t until_ = 0;  // ns of the steady clock; 0: not begun
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
