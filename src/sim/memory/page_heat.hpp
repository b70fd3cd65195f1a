#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// How often the pages of areas of equal size are accessed, by a sample of each area's pages (BATS 6.1, Eq. 4).
class page_heat {
 public:
  /// Pages [first, first + count), and how often all of them were accessed, as the sample has it.
  struct area {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    double heat = 0;
  };
  /// Pages sampled of each area: BATS's b.
  static constexpr std::uint64_t sample = 4;

  /// Begins to count accesses to the sampled ones of `pages` pages, which are divided into at most `parts` >= 1 areas.
  /// The same seed gives the same sample.
  void begin(std::uint64_t pages, std::uint32_t parts, std::uint64_t seed);
  /// A page is accessed so many times. Cheap while nothing is watched.
  void count(std::uint64_t page, std::uint64_t times) noexcept {
    if (!slots_.empty() && slots_[page] != 0) counts_[slots_[page]] += times;
  }
  bool watching() const noexcept { return !slots_.empty(); }
  /// Pages that are sampled; 0 if nothing is watched.
  std::uint64_t sampled() const noexcept { return counts_.empty() ? 0 : counts_.size() - 1; }
  /// Ends counting. All areas, in the order of pages: a page's heat is the number of times that it was accessed.
  std::vector<area> end();

 private:
  std::uint64_t per_area_ = 1;
  std::vector<std::uint32_t> slots_;   ///< by page: its place in counts_, or 0; empty: nothing is watched
  std::vector<std::uint64_t> counts_;  ///< of sampled pages, in their order; the first is nobody's
};

}  // namespace jackdaw::sim
