#include "jackdaw/detail/head_start.hpp"

#include <pthread.h>

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
/// What elements fork is not exposed for so long. Otherwise a thief would take a part of the first element, and the
/// rest of the loop would wait for it.
constexpr nanoseconds held_back = microseconds(20);
/// A loop whose calls are guessed wrong again and again is given a guess in so many.
constexpr std::uint32_t most_penalty = 1023;

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

/// Whether what takes so long, ns, is over before a thief, or a worker that would have to be woken, could help.
bool is_short(const worker& on, double ns) noexcept {
  return ns < theft.count() || (ns < wake_up.count() && !on.home.anyone_searches());
}

}  // namespace

double loop_history::expects(std::size_t elements) noexcept {
  if (const std::uint32_t more = sits_out_.load(std::memory_order_relaxed); more != 0) {
    sits_out_.store(more - 1, std::memory_order_relaxed);
    return -1;
  }
  return per_element_.load(std::memory_order_relaxed) * static_cast<double>(elements);
}

void loop_history::measured(std::size_t elements, std::int64_t ns) noexcept {
  // Thefts move data away from this core, and the system holds threads up: what is faster is nearer to the truth.
  const double before = per_element_.load(std::memory_order_relaxed),
               now = static_cast<double>(ns) / static_cast<double>(elements);
  per_element_.store(before < 0 || now < before ? now : before + (now - before) / 8, std::memory_order_relaxed);
}

void loop_history::was(bool right) noexcept {
  const std::uint32_t before = penalty_.load(std::memory_order_relaxed);
  if (right) {
    if (before != 0) penalty_.store(before / 2, std::memory_order_relaxed);
    return;
  }
  const std::uint32_t penalty = std::min(2 * before + 1, most_penalty);
  penalty_.store(penalty, std::memory_order_relaxed);
  sits_out_.store(penalty, std::memory_order_relaxed);
}

std::int64_t head_start::time() noexcept {
  return nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

head_start::head_start(loop_history& history, std::size_t left) noexcept
    : history_(history), left_(left), in_task_(this_worker() != nullptr) {
  if (!in_task_) {
    begins_ = others_have_all_workers();
    if (begins_) {
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelable_);  // as while a root is under way
    }
    return;
  }
  worker& on = *this_worker();
  const double whole = on.home.lends_places() ? history.expects(left) : -1;
  begins_ = whole >= 0 && is_short(on, whole);
  if (!begins_) {
    return;
  }
  on.holds_back_until = time() + held_back.count();
  if (fiber* const self = on.active->current; self->searching) {
    lowered_ = self;
    began_on_ = on.id;
    self->searching = false;
    set_this_lane(on.active);
  }
}

head_start::~head_start() {
  if (!begins_) {
    return;
  }
  if (!in_task_) {
    int ignored = 0;
    pthread_setcancelstate(cancelable_, &ignored);
    return;
  }
  worker& on = *this_worker();
  on.holds_back_until = 0;
  if (lowered_ != nullptr) {
    lowered_->searching = true;
    set_this_lane(nullptr);
    if (on.id != began_on_) {
      on.home.scheduler().resume(on.id, *lowered_->upper);
    }
  }
  if (begun_ != 0) {
    history_.was(!stopped_);
  }
}

/// `took`: since the beginning, ns; `rest`: what the rest seems to take.
bool head_start::goes_on(std::int64_t took, double rest) const noexcept {
  if (!in_task_) {
    return took < beside_busy_workers.count() && runtime_access::default_is_busy();
  }
  // Data that thefts have moved away makes steps slow. They bring it back, so the next call is short.
  return took < before_it_judges.count() || is_short(*this_worker(), rest / 4);
}

std::size_t head_start::next(std::size_t most, std::size_t least) noexcept {
  if (!begins_ || stopped_ || left_ == 0) {
    return 0;
  }
  const std::int64_t now = time();
  if (begun_ == 0) {
    begun_ = now;
    step_ = least;
  } else {
    const auto last_step = static_cast<double>(now - last_);
    if (!goes_on(now - begun_, last_step * static_cast<double>(left_) / static_cast<double>(step_))) {
      stopped_ = true;
      return 0;
    }
    if (now - last_ < short_step.count()) {
      step_ *= 2;
    }
  }
  last_ = now;
  step_ = std::min({step_, left_, most});
  left_ -= step_;
  return step_;
}

}  // namespace jackdaw::detail
