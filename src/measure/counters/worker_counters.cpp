#include "measure/counters/worker_counters.hpp"

#include <string>
#include <utility>
#include <variant>

namespace jackdaw::measure {

worker_counters::worker_counters(unsigned workers, counter_events what, perf_calls& kernel)
    : counted(std::move(what)), calls(&kernel), slots(workers) {}

bool worker_counters::open(unsigned worker) {
  if (!good()) return false;
  auto opened = thread_counters::open(counted, *calls);
  if (auto* failure = std::get_if<counter_failure>(&opened)) {
    fail(worker, std::move(*failure));
    return false;
  }
  slots[worker].counters = std::move(std::get<thread_counters>(opened));
  return good();
}

std::optional<counter_reading> worker_counters::read(unsigned worker) {
  const auto& counters = slots[worker].counters;
  if (!counters || !good()) return {};
  auto reading = counters->read();
  if (auto* failure = std::get_if<counter_failure>(&reading)) {
    fail(worker, std::move(*failure));
    return {};
  }
  return std::get<counter_reading>(reading);
}

std::optional<counter_failure> worker_counters::failure() const {
  const std::lock_guard hold(mutex);
  return first;
}

void worker_counters::fail(unsigned worker, counter_failure why) {
  const std::lock_guard hold(mutex);
  if (first) return;
  why.what = "worker " + std::to_string(worker) + ": " + why.what;
  first = std::move(why);
  failed.store(true, std::memory_order_release);
}

}  // namespace jackdaw::measure
