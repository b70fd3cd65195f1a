#include "gomp/carrier.hpp"

#include <limits.h>

#include <system_error>
#include <thread>

#include "base/happens_before.hpp"
#include "gomp/patience.hpp"
#include "gomp/places.hpp"
#include "gomp/settings.hpp"
#include "runtime/threads.hpp"

namespace jackdaw::gomp {

carrier::carrier(detail::threads& home, std::uint32_t worker) noexcept
    : entry([](entry* self) noexcept -> detail::fiber* {
        static_cast<carrier*>(self)->live();
        return nullptr;
      }),
      home_(&home),
      worker_(worker) {}

carrier::carrier() : entry(nullptr) {
  pthread_attr_t how;
  pthread_attr_init(&how);
  pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
  if (const std::size_t size = settings::of_process().stack_size; size != 0) {
    pthread_attr_setstacksize(&how, size);
  }
  pthread_t thread;
  const int error = pthread_create(
      &thread, &how,
      [](void* self) -> void* {
        static_cast<carrier*>(self)->live();
        return nullptr;
      },
      this);
  pthread_attr_destroy(&how);
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "a thread for a team");
  }
}

void carrier::call(member& next) noexcept {
  next_ = &next;
  // Release: the member and its team. Acquire: where the thread has left its stack.
  const std::uint32_t was = state_.exchange(called, std::memory_order_acq_rel);
  if (home_ == nullptr) {
    if (was == sleeps) wake(state_, 1);
  } else if (!begun_) {
    begun_ = true;
    home_->settle(worker_, *this, turn_);
  } else if (was == sleeps) {
    home_->send_to(worker_, off_);
  }
}

void carrier::live() noexcept {
  for (;;) {
    member& self = await();
    go_to_place();
    take_part(self);
  }
}

member& carrier::await() noexcept {
  // Acquire: what the caller has written.
  const auto is_called = [this] { return state_.load(std::memory_order_acquire) == called; };
  for (unsigned left = looks(); left > 0 && !is_called(); --left) {
    pause();
  }
  if (!is_called()) {
    sleep();
  }
  member& next = *next_;
  // Before the end of the region, after which it may be called again.
  state_.store(waits, std::memory_order_relaxed);
  return next;
}

void carrier::sleep() noexcept {
  const auto lies_down = [this] {
    std::uint32_t awake = waits;
    return state_.compare_exchange_strong(awake, sleeps, std::memory_order_acq_rel, std::memory_order_acquire);
  };
  if (home_ == nullptr) {
    lies_down();
    while (state_.load(std::memory_order_acquire) != called) {
      sleep_on(state_, sleeps);
    }
    return;
  }
  // The worker is free for other tasks meanwhile. The state changes only when the fiber is off its stack: from then on
  // it may be sent back.
  struct off {
    carrier& self;
    decltype(lies_down)& then;
  } leaves{*this, lies_down};
  detail::this_worker()->suspend(
      [](detail::worker&, detail::fiber* left, void* leaves) noexcept -> detail::fiber* {
        auto& [self, then] = *static_cast<off*>(leaves);
        self.off_ = left;
        return then() ? nullptr : left;
      },
      &leaves);
}

void carrier::go_to_place() noexcept {
  if (place_ != wanted_place_) {
    place_ = wanted_place_;
    bind_to_place(place_);
  }
}

}  // namespace jackdaw::gomp
