#include "runtime/recent_accesses.hpp"

#include <algorithm>
#include <bit>

#include "runtime/recording.hpp"

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
  if (begin == end) return 0;
  const std::uint64_t last_block = (end - 1) / block_bytes;
  std::uint64_t number = begin / block_bytes;
  auto place = blocks_.begin() + static_cast<std::ptrdiff_t>(number % blocks_.size());
  std::uint64_t first = begin % block_bytes / piece_bytes, pieces = 0;
  for (; number <= last_block; ++number, first = 0) {
    const std::uint64_t last = number == last_block ? (end - 1) % block_bytes / piece_bytes : 63;
    const std::uint64_t wanted = ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (63 - last);
    if (place->number != number) {
      *place = {.number = number, .pieces = wanted};
      pieces += last - first + 1;
    } else if (const std::uint64_t missing = wanted & ~place->pieces; missing != 0) {
      place->pieces |= wanted;
      pieces += static_cast<std::uint64_t>(std::popcount(missing));
    }
    if (++place == blocks_.end()) place = blocks_.begin();
  }
  return std::min(pieces * (piece_bytes / line_bytes), (end - begin + line_bytes - 1) / line_bytes);
}

void recent_accesses::forget() noexcept { std::fill(blocks_.begin(), blocks_.end(), block{}); }

}  // namespace jackdaw::detail
