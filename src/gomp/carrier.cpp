#include "gomp/carrier.hpp"

#include <limits.h>
#include <sched.h>

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

void carrier::call(member& next) noexcept { hand_over(&next); }

bool carrier::dismiss() noexcept {
  if (home_ != nullptr) return false;
  hand_over(nullptr);
  return true;
}

void carrier::hand_over(member* next) noexcept {
  next_ = next;
  caller_cpu_ = sched_getcpu();
  const bool begins = home_ != nullptr && !begun_;
  begun_ = true;
  // Release: the member and its team. One that is dismissed may be gone from here on.
  const std::uint32_t was = state_.exchange(called, std::memory_order_release);
  if (begins) {
    home_->settle(worker_, *this, turn_);
  } else if (was == sleeps) {
    wake(state_, 1);  // the kernel needs the address alone
  }
}

void carrier::live() noexcept {
  while (member* const self = await()) {
    go_to_place();
    take_part(*self);
  }
  delete this;
}

member* carrier::await() noexcept {
  // Acquire: what the caller has written.
  const auto is_called = [this] { return state_.load(std::memory_order_acquire) == called; };
  for (unsigned left = looks(); left > 0 && !is_called(); --left) {
    pause();
  }
  // The worker's thread sleeps here, too, and not in its loop: from there it would come back in two steps, and wake
  // another worker to search in its place.
  std::uint32_t awake = waits;
  if (!is_called() &&
      state_.compare_exchange_strong(awake, sleeps, std::memory_order_acquire, std::memory_order_acquire)) {
    while (!is_called()) {
      sleep_on(state_, sleeps);
    }
  }
  member* const next = next_;
  if (sched_getcpu() == caller_cpu_ && !is_crowded()) {
    leave_processor(caller_cpu_);
  }
  // Before the end of the region, after which it may be called again.
  state_.store(waits, std::memory_order_relaxed);
  return next;
}

void carrier::go_to_place() noexcept {
  if (place_ != wanted_place_) {
    place_ = wanted_place_;
    bind_to_place(place_);
  }
}

}  // namespace jackdaw::gomp
