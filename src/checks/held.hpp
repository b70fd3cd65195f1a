#pragma once

#include <sys/types.h>

#include <cstdint>

#include "checks/callers.hpp"
#include "checks/hooks.hpp"

namespace jackdaw::checks {

enum class kind : std::uint8_t { mutex, read_lock, write_lock, spin_lock, initialiser, once };

/// Whether only the thread that took an object of this kind may give it back.
constexpr bool belongs_to_thread(kind what) noexcept { return what != kind::initialiser && what != kind::once; }

/// Something that a task holds.
struct holding {
  kind what = kind::mutex;
  bool reported = false;
  const void* address = nullptr;
  const void* frame = nullptr;  ///< of the function that took it: on the stack of the task that holds it
  pid_t thread = 0;             ///< the thread that took it
  trail<12> from{};             ///< the callers of the function that took it
};

/// What a thread is doing, as far as the checks are concerned.
struct thread_state {
  bool in_task = false;
  bool busy = false;  ///< inside the checks, which ignore the locks that they take themselves
  pid_t id = 0;       ///< valid if in_task
  const void* base = nullptr;
};

/// The calling thread's state. Opaque to the optimiser, because a task may change threads.
thread_state& this_thread() noexcept;

/// Everything that tasks hold. The functions take spin locks of their own, and memory only from the system.

void keep(const holding& taken) noexcept;
/// Removes an object that is given back. Returns true and its record if another thread took it and that is not reported
/// yet.
bool drop(const void* address, const thread_state& by, holding& moved) noexcept;
/// Finds an object that `thread` has taken and that is not reported yet, and marks it reported; false if there is none.
bool pick_of_thread(pid_t thread, holding& found) noexcept;
/// The same for objects that the task on a stack holds and that were not taken by `thread`, on which the task
/// continues. Objects that are not tied to a thread count as `thread`'s from now on.
bool pick_moved(const stack& on, pid_t thread, holding& found) noexcept;
/// Call when a stack becomes free for other tasks.
void forget(const stack& on) noexcept;
/// Call in the child of a fork(), where other threads may have been in these functions.
void forget_all() noexcept;

}  // namespace jackdaw::checks
