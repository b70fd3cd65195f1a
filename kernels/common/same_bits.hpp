#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jackdaw::kernels {

/// Returns the index of the first number that differs in any bit from its counterpart; the spans' length if there is
/// none. Both spans must be equally long.
inline std::size_t first_difference(std::span<const double> found, std::span<const double> expected) {
  for (std::size_t i = 0; i != found.size(); ++i)
    if (std::bit_cast<std::uint64_t>(found[i]) != std::bit_cast<std::uint64_t>(expected[i])) return i;
  return found.size();
}

}  // namespace jackdaw::kernels
