#pragma once

#include <atomic>
#include <cstddef>
#include <new>

#include "jackdaw/detail/context.hpp"
#include "jackdaw/detail/entry.hpp"
#include "jackdaw/detail/exception_state.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/queued.hpp"

// Internal: not exported by a shared library.
namespace jackdaw::sched {
class upper_task;
}
namespace jackdaw::c_api {
class scope;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw {
class task_group;
}

namespace jackdaw::detail {

/// The rest of a suspended fiber, as an entry of a deque.
struct continuation : entry {
  continuation() noexcept : entry(nullptr) {}
  fiber* of = nullptr;
  /// The group that the spawn belongs to; its count of detached children grows when this is claimed. Null if the fiber
  /// is merely preempted.
  task_group* group = nullptr;
  /// Where `of` was suspended, until it is claimed.
  void* context = nullptr;
  /// Set under the deque's lock by the worker that takes it, as its last step: a thread that sees it without the lock
  /// sees all of the claim.
  std::atomic<bool> claimed{true};
};

/// A stack, and what is known of the task on it. The object is at the upper end of its own stack. The stack grows down
/// from here; the closure of the task comes first.
struct alignas(64) fiber {
  void* context = nullptr;             ///< where it is suspended
  continuation parent;                 ///< what follows the spawn that started this fiber work-first
  continuation self;                   ///< this fiber's own rest, when it is preempted
  fiber* next = nullptr;               ///< in a list of unused fibers
  queued turn;                         ///< in the run queue, while it waits for a turn
  const void* bound = nullptr;         ///< while it is suspended: the only thread that may enter it; null: any may
  int* tie = nullptr;                  ///< what its thread counts it in while it is bound; null: nothing
  entry* job = nullptr;                ///< what it runs when it was started from a worker's loop
  sched::upper_task* upper = nullptr;  ///< what the scheduler knows of the task, if it sees it at all
  bool exposed = true;                 ///< the parent is in the deque until it is taken; false if that was full
  bool searching = false;              ///< forks go to the scheduler: the task is in the upper tier now
  std::byte* stack = nullptr;          ///< lowest usable byte; the guard pages are below
  std::byte* end = nullptr;            ///< behind the highest byte
  void* slab = nullptr;                ///< the mapping that the stack is in
  std::size_t guard = 0;               ///< bytes of the guard
  exception_state exceptions;          ///< while it is suspended; none otherwise
  void* fake_stack = nullptr;          ///< AddressSanitizer's
  void* tsan = nullptr;                ///< ThreadSanitizer's
  c_api::scope* scope = nullptr;       ///< of the innermost function of the C API on it
  void* frame = nullptr;               ///< the innermost frame of oneTBB's interface on it (src/tbb, compat/tbb)
  bool tsan_stale = true;              ///< its record of calls is of a task that was left midway

  std::byte* top() noexcept { return reinterpret_cast<std::byte*>(this); }

  /// Where a closure goes; of(): the fiber that a closure was placed on. The stack pointer starts below the closure.
  template <class Closure>
  void* place() noexcept {
    static_assert(alignof(Closure) % 16 == 0 && fits<Closure>);
    return top() - sizeof(Closure);
  }
  template <class Closure>
  static fiber* of(Closure* placed) noexcept {
    // Not by reinterpret_cast: users' -Wcast-align. NOLINTNEXTLINE(bugprone-casting-through-void)
    return static_cast<fiber*>(static_cast<void*>(placed + 1));
  }
  template <class Closure>
  static constexpr bool fits = sizeof(Closure) <= 4096 && alignof(Closure) <= 64;
};

// What sanitizers are told of changes of stacks. These are functions of every library, which tell the sanitizer that
// the program is linked with, if any. Headers call them if the program is compiled with one (`announced`).

/// Called when a fiber gets a new task: the sanitizers forget the last one.
void announce_start(fiber* fresh) noexcept;
/// Called before leaving `from` for `to`; null stands for the worker's own stack. `ends`: `from` will not be resumed.
void announce_leave(fiber* from, fiber* to, bool ends) noexcept;
/// Called first after a switch, on the fiber that is now this worker's current one.
void announce_arrive() noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
