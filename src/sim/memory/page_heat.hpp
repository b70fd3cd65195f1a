#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// Estimates how often the pages of equal areas are accessed, from a sample of each area's pages (BATS 6.1, Eq. 4).
class page_heat {
 public:
  /// Pages [first, first + count), and how often all of them together were accessed, estimated from the sample.
  struct area {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    double heat = 0;
  };
  /// Pages sampled of each area: BATS's b.
  static constexpr std::uint64_t sample = 4;

  /// Divides `pages` pages into at most `parts` >= 1 areas, draws a sample of each and begins to count accesses to it.
  /// The same seed gives the same sample.
  void begin(std::uint64_t pages, std::uint32_t parts, std::uint64_t seed);
  /// Counts `times` accesses to a page. Cheap while nothing is watched.
  void count(std::uint64_t page, std::uint64_t times) noexcept {
    if (!slots_.empty() && slots_[page] != 0) counts_[slots_[page]] += times;
  }
  bool watching() const noexcept { return !slots_.empty(); }
  /// Returns the number of sampled pages; 0 if nothing is watched.
  std::uint64_t sampled() const noexcept { return counts_.empty() ? 0 : counts_.size() - 1; }
  /// Ends counting. Returns all areas, in the order of pages. A page's heat is the number of accesses to it.
  std::vector<area> end();

 private:
  std::uint64_t per_area_ = 1;
  std::vector<std::uint32_t> slots_;   ///< by page: its index in counts_, or 0; empty: nothing is watched
  std::vector<std::uint64_t> counts_;  ///< of sampled pages, in their order; the first is unused
};

}  // namespace jackdaw::sim
