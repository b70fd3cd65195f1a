#include "profile/counters/worker_counters.hpp"

#include <new>
#include <string>
#include <utility>
#include <variant>

namespace jackdaw::profile {
namespace {

/// Short enough to be built without allocating.
counter_failure no_memory() noexcept { return {counter_failure::reason::other, 0, "no memory", ""}; }

}  // namespace

worker_counters::worker_counters(unsigned workers, counter_events what, perf_calls& kernel)
    : counted(std::move(what)), calls(&kernel), slots(workers) {}

bool worker_counters::open(unsigned worker) noexcept {
  if (!good()) return false;
  try {
    auto opened = thread_counters::open(counted, *calls);
    if (auto* failure = std::get_if<counter_failure>(&opened)) {
      fail(worker, std::move(*failure));
      return false;
    }
    slots[worker].counters = std::move(std::get<thread_counters>(opened));
  } catch (const std::bad_alloc&) {
    fail(worker, no_memory());
  }
  return good();
}

std::optional<counter_reading> worker_counters::read(unsigned worker) noexcept {
  const auto& counters = slots[worker].counters;
  if (!counters || !good()) return {};
  try {
    auto reading = counters->read();
    if (const auto* const found = std::get_if<counter_reading>(&reading)) return *found;
    fail(worker, std::get<counter_failure>(std::move(reading)));
  } catch (const std::bad_alloc&) {
    fail(worker, no_memory());
  }
  return {};
}

std::optional<counter_failure> worker_counters::failure() const {
  const std::lock_guard hold(mutex);
  return first;
}

void worker_counters::fail(unsigned worker, counter_failure why) noexcept {
  const std::lock_guard hold(mutex);
  if (first) return;
  try {
    why.what = "worker " + std::to_string(worker) + ": " + why.what;
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): the text then lacks the worker's number
  }
  first = std::move(why);
  failed.store(true, std::memory_order_release);
}

}  // namespace jackdaw::profile
