#include "kernels/matmul/matmul_leaf.hpp"

namespace {

constexpr int block = jackdaw_matmul_block;

#if defined(__x86_64__)
#define TILE_NAME avx512
#define TILE_TARGET __attribute__((target("avx512f,avx2,fma")))
#define TILE_LANES 16
#define TILE_ROWS 12
#define TILE_VECTORS 2
#include "kernels/matmul/matmul_tile.inc"

#define TILE_NAME avx2
#define TILE_TARGET __attribute__((target("avx2,fma")))
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
  if (__builtin_cpu_supports("avx512f")) return {"avx512f", avx512::multiply};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {"avx2", avx2::multiply};
#endif
  return {"baseline", baseline::multiply};
}

const version& chosen() {
  static const version once = widest();
  return once;
}

}  // namespace

void jackdaw_matmul_leaf(const float* a, const float* b, float* c, std::size_t row) { chosen().multiply(a, b, c, row); }

const char* jackdaw_matmul_leaf_name() { return chosen().name; }
