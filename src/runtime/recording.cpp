#include "runtime/recording.hpp"

#include <algorithm>
#include <chrono>

#include "jackdaw/invoke.hpp"
#include "runtime/region.hpp"
#include "runtime/threads.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {
namespace {

constexpr unsigned tree_depth = 8;
constexpr double tree_pieces = 3 * ((1U << tree_depth) - 1) + 1;  // of work: one in a leaf, two in a task that forks

[[gnu::noinline]] unsigned tree_of_forks(unsigned depth) {
  if (depth == 0) return 1;
  unsigned left = 0, right = 0;
  invoke([&] { left = tree_of_forks(depth - 1); }, [&] { right = tree_of_forks(depth - 1); });
  return left + right;
}

[[gnu::noinline]] unsigned tree_of_calls(unsigned depth) noexcept {
  return depth == 0 ? 1 : tree_of_calls(depth - 1) + tree_of_calls(depth - 1);
}

/// Returns the ns of a piece of the tree by calls: the least of a few rounds.
double measure_calls() noexcept {
  using clock = std::chrono::steady_clock;
  auto least = clock::duration::max();
  for (int round = 0; round < 20; ++round) {
    const auto began = clock::now();
    volatile unsigned leaves = tree_of_calls(tree_depth);
    static_cast<void>(leaves);
    least = std::min(least, clock::now() - began);
  }
  return std::chrono::duration<double, std::nano>(least).count() / tree_pieces;
}

}  // namespace

void measure_recording() noexcept {
  trace::recorder* const into = this_recorder();
  if (into == nullptr || !into->measures_forks()) return;
  into->measure_forks([] { tree_of_forks(tree_depth); }, measure_calls());
}

trace::recorder* this_recorder() noexcept {
  const worker* const on = this_worker();
  return on != nullptr ? on->home.recorder() : nullptr;
}

void count_declared(const declared_access& what) noexcept {
  if (worker* const on = this_worker()) {
    on->home.declare(on->id, what);
  }
}

}  // namespace jackdaw::detail
