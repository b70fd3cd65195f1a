#include "task/recent_accesses.hpp"

#include <algorithm>
#include <bit>

#include "task/recording.hpp"

namespace jackdaw::detail {

std::uint64_t recent_accesses::missed(const declared_access& what) noexcept {
  if (blocks_.empty()) return what.lines();
  std::uint64_t sum = 0;
  for (std::uint64_t row = 0; row < what.rows; ++row) {
    const std::uintptr_t first = what.begin + row * what.stride;
    sum += missed(first, first + what.length);
  }
  return sum;
}

std::uint64_t recent_accesses::missed(std::uintptr_t begin, std::uintptr_t end) noexcept {
  std::uint64_t sum = 0;
  for (std::uintptr_t at = begin; at < end;) {
    const std::uint64_t number = at / block_bytes;
    const std::uintptr_t next = std::min<std::uintptr_t>(end, (number + 1) * block_bytes);
    const std::uint64_t first = at % block_bytes / line_bytes, last = (next - 1) % block_bytes / line_bytes;
    const std::uint64_t wanted = ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (63 - last);
    block& place = blocks_[number % blocks_.size()];
    if (place.number != number) place = {.number = number};
    sum += static_cast<std::uint64_t>(std::popcount(wanted & ~place.lines));
    place.lines |= wanted;
    at = next;
  }
  return sum;
}

void recent_accesses::forget() noexcept { std::fill(blocks_.begin(), blocks_.end(), block{}); }

}  // namespace jackdaw::detail
