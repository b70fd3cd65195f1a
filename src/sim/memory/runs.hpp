#pragma once

#include <array>
#include <cstdint>

namespace jackdaw::sim {

/// The runs of consecutive bytes that a core has touched last, as its prefetchers know them: a touch goes on with a run
/// if it begins where the run ended. Prefetchers follow some sixteen runs at a time.
class recent_runs {
 public:
  /// Returns whether [first, end) goes on with one of the runs, and prolongs that run; else a new run begins in place
  /// of the oldest. Less than `gap` bytes between two touches, as of padding, do not matter.
  bool goes_on(std::uint64_t first, std::uint64_t end, std::uint64_t gap) noexcept {
    for (std::uint64_t& known : ends_) {
      if (first - known >= gap) continue;
      known = end;
      return true;
    }
    ends_[oldest_] = end;
    oldest_ = (oldest_ + 1) % ends_.size();
    return false;
  }

 private:
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0} / 2;
  static constexpr std::array<std::uint64_t, 16> none = [] {
    std::array<std::uint64_t, 16> all{};
    all.fill(nowhere);
    return all;
  }();

  std::array<std::uint64_t, 16> ends_ = none;
  std::size_t oldest_ = 0;
};

}  // namespace jackdaw::sim
