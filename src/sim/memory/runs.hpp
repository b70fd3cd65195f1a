#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace jackdaw::sim {

/// The runs of consecutive lines that a core has touched last, as its prefetchers know them: a touch goes on with a run
/// if it begins where the run ended, or in the last bytes of it. Prefetchers follow some sixteen runs at a time.
class recent_runs {
 public:
  struct slow_part {
    std::uint64_t bytes = 0;  ///< of the touched ones, among the first `slow` of their run
    bool begins = false;      ///< they begin a run
  };

  /// The lines with the bytes [first, end) prolong the run that they go on with, or begin one in place of the oldest.
  /// Less than `gap` bytes between two touches, as of padding, do not matter. No run that ended before `since` goes on:
  /// what precedes that lies elsewhere.
  slow_part touch(std::uint64_t first, std::uint64_t end, std::uint64_t gap, std::uint64_t slow,
                  std::uint64_t since = 0) noexcept {
    first = first / line * line;
    end = (end + line - 1) / line * line;
    run* at = std::find_if(runs_.begin(), runs_.end(), [&](const run& known) {
      return first + again >= known.end && first < known.end + gap && known.end > since;
    });
    const bool begins = at == runs_.end();
    if (begins) {
      at = &runs_[oldest_];
      oldest_ = (oldest_ + 1) % runs_.size();
      *at = {.end = first, .slow = slow};
    }
    const std::uint64_t more = end > at->end ? end - std::max(first, at->end) : 0;
    const std::uint64_t bytes = std::min(at->slow, more);
    at->slow -= bytes;
    at->end = std::max(at->end, end);
    return {.bytes = bytes, .begins = begins};
  }

 private:
  static constexpr std::uint64_t line = 64;
  /// What is read and then written in one pass is touched again after at most so many bytes.
  static constexpr std::uint64_t again = 4096;

  struct run {
    std::uint64_t end = ~std::uint64_t{0} / 2;  ///< nowhere
    std::uint64_t slow = 0;                     ///< the bytes after `end` that come slowly
  };

  std::array<run, 16> runs_;
  std::size_t oldest_ = 0;
};

}  // namespace jackdaw::sim
