// Tasks that wait. The protocol is in README.md.
#include "tbb/waits.hpp"

#include <array>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/happens_before.hpp"
#include "base/immortal.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/tied.hpp"
#include "runtime/threads.hpp"
#include "tbb/dispatch.hpp"
#include "tbb/entry_root.hpp"
#include "tbb/spawn.hpp"

namespace jackdaw::onetbb {
namespace {

using detail::hardware;
using detail::worker;

/// A task that waits, on its stack. From the moment that it is in its bucket until it goes on it belongs to whoever
/// holds the bucket's lock.
struct sleeper {
  const void* key;
  bool (*is_over)(const void*);
  const void* thread;  ///< where it goes on
  detail::threads* home = nullptr;
  detail::fiber* task = nullptr;
  sleeper* next = nullptr;
};

struct alignas(64) bucket {
  std::atomic<unsigned> count{0};
  detail::spin_lock<hardware> lock;
  sleeper* first = nullptr;
};
using buckets = std::array<bucket, 256>;
detail::immortal<buckets> asleep;

bucket& bucket_of(const void* key) noexcept {
  return asleep.it[reinterpret_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u >> 56];
}

/// Called off the task's stack. False: what it waits for has come.
bool enter_bucket(sleeper& one) noexcept {
  bucket& in = bucket_of(one.key);
  // First it is counted, then it looks once more. Whoever ends the wait first makes it over, and then looks whether
  // anybody is counted. All four are sequentially consistent, by the fence where it is not in this code's hand. So at
  // least one of the two sees the other.
  in.count.fetch_add(1, std::memory_order_seq_cst);
  hardware::full_fence();
  const std::lock_guard hold(in.lock);
  if (one.is_over(one.key)) {
    in.count.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  one.next = in.first;
  in.first = &one;
  return true;
}

/// A worker that must not leave its task, or a thread that must not be left: it looks again and again.
void poll(unsigned& times) noexcept {
  if (++times < 100) {
    hardware::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

bool is_over(const void* of) noexcept { return external_waiter::is_over(*static_cast<const wait_context*>(of)); }

/// Runs the newest task of the calling worker's deque, or lets others have what is in the arena's inbox. False: there
/// is nothing.
bool help() noexcept {
  worker& on = *detail::this_worker();
  detail::entry* const newest = on.active->deque.pop_newest();
  if (newest == nullptr) return unpack(on, *this_frame()->in);
  if (newest->start != &run_on_fiber) {
    on.keep(newest);
    return false;
  }
  run_here(*static_cast<record*>(newest));
  if (worker& now = *detail::this_worker(); now.home.apart_of() != nullptr) [[unlikely]]
    now.loose_ended.add_release();
  return true;
}

/// Whether less than half of the calling fiber's stack is used. Then a wait runs tasks on top of it, which may wait in
/// their turn; otherwise they run on stacks of their own.
bool is_roomy() noexcept {
  const detail::fiber& on = *detail::this_worker()->active->current;
  return static_cast<const std::byte*>(__builtin_frame_address(0)) > on.stack + (on.end - on.stack) / 2;
}

}  // namespace

void park(const void* key, bool (*is_over)(const void*)) noexcept {
  if (detail::this_worker()->never_suspends()) {
    hardware::yield();
    return;
  }
  sleeper self{key, is_over, detail::this_thread()};
  detail::this_worker()->suspend(
      [](worker& on, detail::fiber* left, void* argument) noexcept -> detail::fiber* {
        sleeper& one = *static_cast<sleeper*>(argument);
        one.task = left;
        one.home = &on.home;
        return enter_bucket(one) ? nullptr : left;
      },
      &self);
}

void notify(const void* key) noexcept {
  bucket& in = bucket_of(key);
  if (in.count.load(std::memory_order_seq_cst) == 0) return;
  sleeper* found = nullptr;
  {
    const std::lock_guard hold(in.lock);
    for (sleeper** at = &in.first; *at != nullptr;) {
      sleeper* const one = *at;
      if (one->key != key) {
        at = &one->next;
        continue;
      }
      *at = one->next;
      one->next = found;
      found = one;
      one->home->begin_waking();  // the engine may end once the task has gone on
      in.count.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  while (found != nullptr) {
    const sleeper one = *found;  // it is gone as soon as the task goes on
    found = one.next;
    one.home->send_back(one.thread, one.task);
    one.home->end_waking();
  }
}

void wait_here(wait_context& of) noexcept {
  outsider* const guest = outsider::here();
  const bool may_leave = !detail::this_worker()->never_suspends() && (guest == nullptr || guest->tie());
  if (!may_leave) {
    for (unsigned times = 0; !is_over(&of);) {
      if (!help()) poll(times);
    }
    detail::acquires(&of);
    return;
  }
  {
    const detail::tie back(ties_of_task());
    const void* const here = detail::this_thread();
    const bool has_room = is_roomy();
    while (!is_over(&of)) {
      detail::look_up_if_asked();  // it may go elsewhere, and so may its next steps
      if (has_room && help()) continue;
      if (detail::this_thread() != here) {
        detail::go_back(here);  // to sleep where it is to wake
      } else {
        park(&of, &is_over);
      }
    }
  }
  detail::acquires(&of);
  if (guest != nullptr) guest->untie();
}

void forget_waits() noexcept { new (&asleep.it) buckets; }

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

void notify_waiters(std::uintptr_t address) {
  jackdaw::detail::releases(reinterpret_cast<const void*>(address));
  jackdaw::onetbb::notify(reinterpret_cast<const void*>(address));
}

}  // namespace tbb::detail::r1
