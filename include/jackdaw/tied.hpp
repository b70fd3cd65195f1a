#pragma once

#include <utility>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

extern "C" {
/// Counts what has to go on on this thread, if it is in an arena; otherwise null. src/runtime/README-arena.md.
extern __thread int* jackdaw_open_ties __attribute__((tls_model("initial-exec")));
}

namespace jackdaw {
namespace detail {

const void* this_thread_slow() noexcept;

/// The calling thread's address, which no other thread has meanwhile. Read anew each time, as this_lane() is.
inline const void* this_thread() noexcept {
#if defined(__x86_64__) && defined(__LP64__)
  const void* found;
  asm volatile("movq %%fs:0, %0" : "=r"(found));
  return found;
#elif defined(__aarch64__)
  const void* found;
  asm volatile("mrs %0, tpidr_el0" : "=r"(found));
  return found;
#else
  return this_thread_slow();
#endif
}

/// Lets the running task go on on that thread.
[[gnu::noinline, gnu::cold]] void go_back(const void* thread) noexcept;

/// While it lives the running task may go elsewhere; at its end the task is on this thread again.
/// src/runtime/README-return.md.
class tie {
 public:
  tie() noexcept : tie(jackdaw_open_ties) {}
  /// `in`: what counts it, the calling thread's; null: nothing.
  explicit tie(int* in) noexcept : home_(this_thread()), counted_in_(in) {
    if (counted_in_ != nullptr) [[unlikely]] {
      ++*counted_in_;
    }
  }
  ~tie() {
    if (this_thread() != home_) [[unlikely]] {
      go_back(home_);
    }
    // It is that thread's; whoever it belongs to is still there, as it waits until nothing is open.
    if (counted_in_ != nullptr) [[unlikely]] {
      --*counted_in_;
    }
  }
  tie(const tie&) = delete;
  tie& operator=(const tie&) = delete;

 private:
  const void* const home_;
  int* const counted_in_;
};

}  // namespace detail

/// Calls f() and returns on the thread that it was called on, whatever f() forks and waits for.
///
///     thread_local int depth = 0;
///     ++depth;
///     jackdaw::tied([&] { jackdaw::for_index(0, n, [&](int i) { x[i] *= a; }); });
///     --depth;                                 // the same variable
///
/// Within f() the task may go from thread to thread as always; after tied() it is back, also if f() throws. So what
/// belongs to the thread is the same before and after: thread_local variables and their addresses, errno, the thread's
/// id. Use it where code of others keeps such things across a call that forks.
///
/// The thread may run any other tasks meanwhile, and they may change what belongs to it. A lock that is held across
/// tied() may therefore be wanted by a task that the same thread runs; then the program deadlocks (docs/forks.md).
///
/// If the task was somewhere else at the end of f(), it waits until its own thread has nothing to run, or has to take
/// turns with another root. No other worker may help it, so tied() gives away some of what work stealing guarantees:
/// put it around what needs it.
///
/// Outside of tasks it just calls f(): a thread that is no worker stays itself.
///
/// @param f A function without parameters.
/// @return What f() returns.
/// @throws anything that f() throws.
/// @par Complexity
/// Two comparisons, if the task is still on its thread. Otherwise one hand-over between workers.
template <class F>
decltype(auto) tied(F&& f) {
  const detail::tie back;
  return std::forward<F>(f)();
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
