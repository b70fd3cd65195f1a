#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::profile {

/// Whole pages of a program's data: a range of addresses that it owns, or a part of one that is watched as a whole
/// (BATS's logical VMA).
struct data_area {
  std::uintptr_t begin = 0, end = 0;
  std::size_t page = 0;      ///< bytes of its pages
  std::uint64_t holder = 0;  ///< the number of the held range that it is in (numa/placed_registry.hpp); 0: in none

  std::size_t bytes() const noexcept { return end - begin; }
  /// Compares addresses and pages, whoever owns them.
  bool operator==(const data_area& other) const noexcept {
    return begin == other.begin && end == other.end && page == other.page;
  }
};

/// The length of areas, in bytes, that gives `parts` of them; `parts` >= 1.
std::size_t area_length(const std::vector<data_area>& ranges, std::uint32_t parts) noexcept;

/// Appends the areas of a range. They are `length` bytes long, rounded up to whole pages; the last may be shorter.
void divide(const data_area& range, std::size_t length, std::vector<data_area>& into);

/// The first bytes of the pages that represent an area: `count` of them (BATS's b), or all if there are fewer. Chosen
/// at random, one from each of `count` equal parts, and always the same for a seed. Ascending.
std::vector<std::uintptr_t> sampled_pages(const data_area& of, std::uint32_t count, std::uint64_t seed);

/// BATS Eq. 4: the accesses to a whole area when each of its sampled pages has `mean` accesses. n_p is in pages of
/// `base` bytes, so that areas of large pages count by their size.
double heat_of(const data_area& of, double mean, std::size_t base) noexcept;

}  // namespace jackdaw::profile
