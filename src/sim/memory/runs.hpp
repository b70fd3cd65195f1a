#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace jackdaw::sim {

/// The runs of consecutive bytes that a core has touched last, as its prefetchers know them: a touch goes on with a run
/// if it begins where the run ended. Prefetchers follow some sixteen runs at a time.
class recent_runs {
 public:
  /// Returns how many bytes of [first, end) are among the first `slow` bytes of their run. The bytes prolong the run
  /// that they go on with, or begin one in place of the oldest. Less than `gap` bytes between two touches, as of
  /// padding, do not matter.
  std::uint64_t touch(std::uint64_t first, std::uint64_t end, std::uint64_t gap, std::uint64_t slow) noexcept {
    run* at = std::find_if(runs_.begin(), runs_.end(), [&](const run& known) { return first - known.end < gap; });
    if (at == runs_.end()) {
      at = &runs_[oldest_];
      oldest_ = (oldest_ + 1) % runs_.size();
      at->slow = slow;
    }
    at->end = end;
    const std::uint64_t left = at->slow;
    at->slow -= std::min(left, end - first);
    return std::min(left, end - first);
  }

 private:
  struct run {
    std::uint64_t end = ~std::uint64_t{0} / 2;  ///< nowhere
    std::uint64_t slow = 0;                     ///< the bytes after `end` that come slowly
  };

  std::array<run, 16> runs_;
  std::size_t oldest_ = 0;
};

}  // namespace jackdaw::sim
