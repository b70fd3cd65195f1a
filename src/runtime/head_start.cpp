#include "jackdaw/detail/head_start.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/runtime_access.hpp"
#include "runtime/threads.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {
namespace {

using std::chrono::microseconds, std::chrono::nanoseconds;

constexpr nanoseconds beside_busy_workers = microseconds(100), short_step = microseconds(10);
/// What a loop's rest may take that this thread runs on its own, and how long it looks before it judges.
constexpr nanoseconds theft = microseconds(5), wake_up = microseconds(25), before_it_judges = microseconds(1);

/// Whether other clients keep all workers busy. The worker that ends a root says so to its client before it counts it
/// as ended: for some hundred nanoseconds it only seems busy.
bool others_have_all_workers() noexcept {
  for (int look = 0; look < 8; ++look) {
    if (!runtime_access::default_is_busy()) {
      return false;
    }
    for (int i = 0; i < 4; ++i) {
      hardware::pause();
    }
  }
  return true;
}

}  // namespace

bool head_start::outside() noexcept { return this_worker() == nullptr; }

std::size_t head_start::next(std::size_t left, std::size_t most) noexcept {
  const worker* const self = this_worker();
  const bool may = self != nullptr ? self->home.lends_places()
                   : begun_ == 0   ? others_have_all_workers()
                                   : runtime_access::default_is_busy();
  if (!may) {
    return 0;
  }
  const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  if (begun_ == 0) {
    begun_ = now.count();
  } else {
    const nanoseconds took = now - nanoseconds(begun_), last_step = now - nanoseconds(last_);
    const auto rest = last_step * (static_cast<double>(left) / static_cast<double>(step_));
    const auto alone = [&] {
      return took < before_it_judges || rest < theft || (rest < wake_up && !self->home.anyone_searches());
    };
    if (self == nullptr ? took >= beside_busy_workers : !alone()) {
      return 0;
    }
    if (last_step < short_step) {
      step_ *= 2;
    }
  }
  last_ = now.count();
  step_ = std::min({step_, left, most});
  return step_;
}

void head_start::run(const placed_branch& loop) {
  runtime::instance().run([&loop] { loop(); });
}

}  // namespace jackdaw::detail
