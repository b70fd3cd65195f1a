#include "kernels/matmul/matmul_leaf.hpp"

#include <jackdaw/access.hpp>
#include <jackdaw/detail/vectors.hpp>

namespace {

constexpr int block = jackdaw_matmul_block;

#if defined(__x86_64__)
#define TILE_NAME avx512
#define TILE_TARGET [[JACKDAW_AVX512]]
#define TILE_LANES 16
#define TILE_ROWS 12
#define TILE_VECTORS 2
#include "kernels/matmul/matmul_tile.inc"

#define TILE_NAME avx2
#define TILE_TARGET [[JACKDAW_AVX2]]
#define TILE_LANES 8
#define TILE_ROWS 6
#define TILE_VECTORS 2
#include "kernels/matmul/matmul_tile.inc"
#endif

#define TILE_NAME baseline
#define TILE_TARGET
#define TILE_LANES 4
#define TILE_ROWS 6
#define TILE_VECTORS 2
#include "kernels/matmul/matmul_tile.inc"

struct version {
  const char* name;
  void (*multiply)(const float*, const float*, float*, std::size_t);
};

version widest() {
#if defined(__x86_64__)
  using jackdaw::detail::vectors;
  const vectors has = jackdaw::detail::widest_vectors();
  if (has == vectors::avx512) return {"avx512f", avx512::multiply};
  if (has == vectors::avx2) return {"avx2", avx2::multiply};
#endif
  return {"baseline", baseline::multiply};
}

const version& chosen() {
  static const version once = widest();
  return once;
}

}  // namespace

void jackdaw_matmul_leaf(const float* a, const float* b, float* c, std::size_t row) {
  jackdaw::computes_in_vectors();
  chosen().multiply(a, b, c, row);
}

const char* jackdaw_matmul_leaf_name() { return chosen().name; }
