#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace jackdaw::sim {

/// The runs of consecutive bytes that a core has touched last, as its prefetchers know them: a touch goes on with a run
/// if it begins where the run ended. Prefetchers follow some sixteen runs at a time.
class recent_runs {
 public:
  struct slow_part {
    std::uint64_t bytes = 0;  ///< of the touched ones, among the first `slow` of their run
    bool begins = false;      ///< they begin a run
  };

  /// The bytes [first, end) prolong the run that they go on with, or begin one in place of the oldest. Less than `gap`
  /// bytes between two touches, as of padding, do not matter.
  slow_part touch(std::uint64_t first, std::uint64_t end, std::uint64_t gap, std::uint64_t slow) noexcept {
    run* at = std::find_if(runs_.begin(), runs_.end(), [&](const run& known) { return first - known.end < gap; });
    const bool begins = at == runs_.end();
    if (begins) {
      at = &runs_[oldest_];
      oldest_ = (oldest_ + 1) % runs_.size();
      at->slow = slow;
    }
    at->end = end;
    const std::uint64_t bytes = std::min(at->slow, end - first);
    at->slow -= bytes;
    return {.bytes = bytes, .begins = begins};
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
