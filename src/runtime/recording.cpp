#include "runtime/recording.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "jackdaw/invoke.hpp"
#include "profile/counters/thread_counters.hpp"
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

/// Returns what counts the calling thread's instructions; nothing if the system does not, or memory runs out.
trace::instruction_sample::counter instruction_counter() noexcept try {
  // Counters need an event for misses: instructions stand for it.
  auto opened = profile::thread_counters::open(
      {.pmu = {}, .cache = {}, .miss_names = {}, .misses = {profile::retired_instructions()}});
  if (!std::holds_alternative<profile::thread_counters>(opened)) return {};
  return [counts = std::make_shared<profile::thread_counters>(
              std::get<profile::thread_counters>(std::move(opened)))]() -> std::optional<std::uint64_t> {
    const auto reading = counts->read();
    const auto* const good = std::get_if<profile::counter_reading>(&reading);
    return good != nullptr ? std::optional(good->instructions) : std::nullopt;
  };
} catch (const std::bad_alloc&) {
  return {};
}

}  // namespace

void measure_recording() noexcept {
  trace::recorder* const into = this_recorder();
  if (into == nullptr || !into->measures_forks()) return;
  into->measure_forks([] { tree_of_forks(tree_depth); }, measure_calls());
  if (auto count = instruction_counter()) into->count_instructions_by(std::move(count));
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
