// The cost of a declared access to a leaf while accesses are not recorded.
#include <array>

#include <jackdaw/access.hpp>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

/// The loop alone. The compiler must assume that its memory changes each time, as with reads().
void access_none(benchmark::State& state) {
  std::array<float, 64> row{};
  for ([[maybe_unused]] const auto once : state) benchmark::DoNotOptimize(row.data());
}

/// One reads() per iteration; the difference from access_none is its cost.
void access_unheard(benchmark::State& state) {
  std::array<float, 64> row{};
  for ([[maybe_unused]] const auto once : state) {
    reads(row.data(), row.size());
    benchmark::DoNotOptimize(row.data());
  }
}

/// Six declarations, as in a leaf of heat2d.
void access_unheard_leaf(benchmark::State& state) {
  std::array<float, 64> row{};
  for ([[maybe_unused]] const auto once : state) {
    reads(row.data(), 4, 8, 16);
    reads(row.data(), 8);
    reads(row.data() + 8, 8);
    reads(row.data(), 4, 1, 16);
    reads(row.data() + 8, 4, 1, 16);
    writes(row.data(), 4, 8, 16);
    benchmark::DoNotOptimize(row.data());
  }
}

BENCHMARK(access_none);
BENCHMARK(access_unheard);
BENCHMARK(access_unheard_leaf);

}  // namespace
}  // namespace jackdaw::bench
