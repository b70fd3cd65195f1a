#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::profile {

/// Whole pages of a program's data: a range of addresses that it owns, or a part of one that is watched as a whole
/// (BATS's logical VMA).
struct data_area {
  std::uintptr_t begin = 0, end = 0;
  std::size_t page = 0;  ///< bytes of its pages

  std::size_t bytes() const noexcept { return end - begin; }
  bool operator==(const data_area&) const = default;
};

/// How long areas have to be so that there are `parts` of them, in bytes; `parts` >= 1.
std::size_t area_length(const std::vector<data_area>& ranges, std::uint32_t parts) noexcept;

/// Appends the areas of a range. They are `length` bytes long, rounded up to whole pages; the last may be shorter.
void divide(const data_area& range, std::size_t length, std::vector<data_area>& into);

/// The first bytes of the pages of an area that stand for all of it: `count` of them (BATS's b), or all if there are no
/// more; chosen at random, one from each of `count` equal parts, and always the same ones for a seed. Ascending.
std::vector<std::uintptr_t> sampled_pages(const data_area& of, std::uint32_t count, std::uint64_t seed);

/// BATS Eq. 4: what `mean` accesses to each of the sampled pages make for the whole area. n_p is in pages of `base`
/// bytes, so that areas of large pages count by their size.
double heat_of(const data_area& of, double mean, std::size_t base) noexcept;

}  // namespace jackdaw::profile
