#include "task/profiler.hpp"

#include <chrono>
#include <utility>
#include <variant>

#include "jackdaw/access.hpp"

namespace jackdaw::detail {

bool profiler::counts(std::uint32_t self) {
  if (counters_ == nullptr || !counters_->good()) {
    return false;
  }
  return std::exchange(seats_[self].opened, true) || counters_->open(self);
}

sched::evidence profiler::listen(std::uint32_t self, bool on) {
  if (!looked_) {
    looked_ = true;
    auto found = measure::find_counter_events();
    if (auto* const events = std::get_if<measure::counter_events>(&found)) {
      counters_ = std::make_unique<measure::worker_counters>(static_cast<unsigned>(seats_.size()), std::move(*events));
    }
  }
  // Relaxed, as the load of access_is_heard: whoever learns of it a moment late counts a little less or more.
  access_listeners.fetch_add(on ? 1U : ~0U, std::memory_order_relaxed);
  // Release: a worker that sees it sees the counters.
  listening_.store(on, std::memory_order_release);
  return counts(self) ? sched::evidence::counters : sched::evidence::declared;
}

void profiler::read(std::uint32_t self) {
  seat& mine = seats_[self];
  if (listening_.load(std::memory_order_acquire) && counts(self)) {
    if (const auto now = counters_->read(self)) {
      mine.misses.set(now->misses);
      mine.instructions.set(now->instructions);
      return;
    }
  }
  using ns = std::chrono::nanoseconds;
  mine.misses.set(mine.declared.get());
  mine.instructions.set(static_cast<std::uint64_t>(
      std::chrono::duration_cast<ns>(std::chrono::steady_clock::now().time_since_epoch()).count()));
}

}  // namespace jackdaw::detail
