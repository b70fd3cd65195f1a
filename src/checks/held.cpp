#include "checks/held.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::checks {
namespace {

using detail::hardware;

struct record {
  holding what;
  record* next = nullptr;
};

/// Some of what is held, newest first. Which part something is in is known from its address.
struct alignas(64) part {
  detail::spin_lock<hardware> lock;
  std::atomic<record*> first{nullptr};  // written with the lock held
  record* unused = nullptr;             // guarded by lock

  bool empty() const noexcept { return first.load(std::memory_order_relaxed) == nullptr; }

  /// With the lock held. Null: there is no memory.
  record* make() noexcept {
    constexpr std::size_t size = 16384;
    if (unused == nullptr) {
      void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) {
        return nullptr;
      }
      for (std::size_t at = 0; at + sizeof(record) <= size; at += sizeof(record)) {
        auto* const fresh = new (static_cast<std::byte*>(memory) + at) record;
        fresh->next = unused;
        unused = fresh;
      }
    }
    record* const taken = unused;
    unused = taken->next;
    return taken;
  }

  /// With the lock held: takes out the first for which that holds; null if there is none.
  template <class Predicate>
  record* take_out(Predicate wanted) noexcept {
    record* before = nullptr;
    for (record* each = first.load(std::memory_order_relaxed); each != nullptr; before = each, each = each->next) {
      if (wanted(each->what)) {
        if (before != nullptr) {
          before->next = each->next;
        } else {
          first.store(each->next, std::memory_order_relaxed);
        }
        return each;
      }
    }
    return nullptr;
  }

  void give_back(record* gone) noexcept {
    gone->next = unused;
    unused = gone;
  }
};

constinit std::array<part, 64> parts;

part& part_of(const void* address) noexcept {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15;
  return parts[mixed >> 58];
}

bool is_on(const stack& on, const holding& what) noexcept {
  const auto* const at = static_cast<const std::byte*>(what.frame);
  return at >= on.low && at < on.high;
}

/// The caller looks for what its own thread has taken, or the task that it has just been handed: it sees that already,
/// so that a part which looks empty holds none of it.
template <class Predicate>
bool pick(holding& found, Predicate wanted) noexcept {
  for (part& each : parts) {
    if (each.empty()) {
      continue;
    }
    const std::lock_guard hold(each.lock);
    for (record* one = each.first.load(std::memory_order_relaxed); one != nullptr; one = one->next) {
      if (!one->what.reported && wanted(one->what)) {
        one->what.reported = true;
        found = one->what;
        return true;
      }
    }
  }
  return false;
}

constinit __thread thread_state state;

}  // namespace

[[gnu::noinline]] thread_state& this_thread() noexcept {
  asm volatile("" ::: "memory");
  return state;
}

void keep(const holding& taken) noexcept {
  part& in = part_of(taken.address);
  const std::lock_guard hold(in.lock);
  if (record* const fresh = in.make()) {
    fresh->what = taken;
    fresh->next = in.first.load(std::memory_order_relaxed);
    in.first.store(fresh, std::memory_order_relaxed);
  }
}

bool drop(const void* address, const thread_state& by, holding& moved) noexcept {
  part& in = part_of(address);
  if (in.empty()) {
    return false;
  }
  const std::lock_guard hold(in.lock);
  const auto own = [&](const holding& each) { return each.address == address && each.thread == by.id; };
  if (record* const found = in.take_out(own)) {
    in.give_back(found);
    return false;
  }
  // Outside of tasks nothing is kept, and what a task holds is not what this thread gives back: both may read, or the
  // task waits for a condition variable, which has unlocked its mutex.
  record* const other =
      by.in_task ? in.take_out([&](const holding& each) { return each.address == address; }) : nullptr;
  if (other == nullptr) {
    return false;
  }
  moved = other->what;
  in.give_back(other);
  return belongs_to_thread(moved.what) && !moved.reported;
}

bool pick_of_thread(pid_t thread, holding& found) noexcept {
  return pick(found, [thread](const holding& each) { return each.thread == thread; });
}

bool pick_moved(const stack& on, pid_t thread, holding& found) noexcept {
  return pick(found, [&](holding& each) {
    if (each.thread == thread || !is_on(on, each)) {
      return false;
    }
    if (!belongs_to_thread(each.what)) {
      each.thread = thread;
      return false;
    }
    return true;
  });
}

void forget(const stack& on) noexcept {
  for (part& each : parts) {
    if (each.empty()) {
      continue;
    }
    const std::lock_guard hold(each.lock);
    while (record* const gone = each.take_out([&](const holding& what) { return is_on(on, what); })) {
      each.give_back(gone);
    }
  }
}

void forget_all() noexcept {
  for (part& each : parts) {
    new (&each) part;
  }
}

}  // namespace jackdaw::checks
