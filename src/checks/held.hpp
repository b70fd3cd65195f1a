#pragma once

#include <sys/types.h>

#include <cstdint>

#include "checks/callers.hpp"
#include "checks/hooks.hpp"

namespace jackdaw::checks {

enum class kind : std::uint8_t { mutex, read_lock, write_lock, spin_lock, initialiser, once };

/// Whether only the thread that took it may give it back.
constexpr bool belongs_to_thread(kind what) noexcept { return what != kind::initialiser && what != kind::once; }

/// Something that a task holds.
struct holding {
  kind what = kind::mutex;
  bool reported = false;
  const void* address = nullptr;
  const void* frame = nullptr;  ///< of the function that took it: on the stack of the task that holds it
  pid_t thread = 0;             ///< that took it
  trail<12> from{};             ///< the callers of the function that took it
};

/// What a thread is doing, as far as the checks are concerned.
struct thread_state {
  bool in_task = false;
  bool busy = false;  ///< inside the checks: locks that they take are not looked at
  pid_t id = 0;       ///< where in_task
  const void* base = nullptr;
};

/// The calling thread's. Opaque to the optimiser: a task may change threads.
thread_state& this_thread() noexcept;

/// Everything that tasks hold. The functions take spin locks of their own, and no memory but from the system.

void keep(const holding& taken) noexcept;
/// It is given back. True, with what was known of it: it was taken on another thread, and that is not reported yet.
bool drop(const void* address, const thread_state& by, holding& moved) noexcept;
/// Something that `thread` has taken and that is not reported yet: false if there is nothing. Now it is.
bool pick_of_thread(pid_t thread, holding& found) noexcept;
/// The same of what the task on a stack holds and another thread than `thread`, which goes on with it, has taken. What
/// does not belong to a thread is `thread`'s from now on.
bool pick_moved(const stack& on, pid_t thread, holding& found) noexcept;
/// A stack is free for other tasks.
void forget(const stack& on) noexcept;
/// In the child of a fork(): other threads may have been here.
void forget_all() noexcept;

}  // namespace jackdaw::checks
