#include "kernels/heat2d/heat2d_leaf.hpp"

#include <algorithm>

#include "kernels/common/wide.hpp"

namespace {

struct part {
  std::size_t top, bottom, left, right;
};

// Both products are by powers of two, hence exact: fusing one with the addition cannot change the result.
[[gnu::always_inline]] inline void step(const float* __restrict in, float* __restrict out, std::size_t row, part p) {
  for (std::size_t i = p.top; i < p.bottom; ++i) {
    const float* const here = in + i * row;
    const float* const above = here - row;
    const float* const below = here + row;
    float* const result = out + i * row;
    for (std::size_t j = p.left; j < p.right; ++j)
      result[j] = 0.5f * here[j] + 0.125f * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
  }
}

}  // namespace

void jackdaw_heat2d_leaf(const float* in, float* out, std::size_t n, std::size_t row, std::size_t top,
                         std::size_t bottom, std::size_t left, std::size_t right) {
  const std::size_t one = 1;
  const part inner{std::max(top, one), std::min(bottom, n - 1), std::max(left, one), std::min(right, n - 1)};
  jackdaw::kernels::in_widest_vectors([=]() __attribute__((always_inline)) { step(in, out, row, inner); });
}
