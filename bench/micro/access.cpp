// What a declared access costs a leaf while nobody listens.
#include <array>

#include <jackdaw/access.hpp>

#include "bench/micro/setup.hpp"

namespace jackdaw::bench {
namespace {

/// The loop alone, whose memory the compiler must take for changed each time, as reads() makes it.
void access_none(benchmark::State& state) {
  std::array<float, 64> row{};
  for ([[maybe_unused]] const auto once : state) benchmark::DoNotOptimize(row.data());
}

/// One reads() a turn; the difference to access_none is its cost.
void access_unheard(benchmark::State& state) {
  std::array<float, 64> row{};
  for ([[maybe_unused]] const auto once : state) {
    reads(row.data(), row.size());
    benchmark::DoNotOptimize(row.data());
  }
}

/// A whole leaf's six, as heat2d's.
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
