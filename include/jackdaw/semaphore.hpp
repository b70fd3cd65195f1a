#pragma once

#include <cstddef>
#include <mutex>
#include <utility>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A number of slots that tasks and threads take and give back: a limit of how many are in some part of a program at
/// the same time.
///
///     jackdaw::semaphore readers(4);           // the disk likes no more than four
///     jackdaw::for_each(files, [&](const std::string& name) {
///       readers.hold([&] { parse(name); });
///     });
///
/// A task that has to wait is suspended, and its worker runs other tasks. So it holds no worker, and no thread is
/// blocked. It keeps its stack, some 6 KiB: a loop with many more leaves than slots may have thousands of them waiting.
/// A slot belongs to no thread: a task that has one may fork, wait and go on on another worker, and any task or thread
/// may give it back. With one slot it is a lock that may be held across forks, as no std::mutex may. A thread outside
/// of tasks sleeps until it has its slot; that is no cancellation point.
///
/// A task that waits for a slot which a task below or around it holds waits for ever. So may one that waits for a slot
/// which a sibling is to release: siblings may run one after another, and in a runtime that records all tasks do.
///
/// In the child of a fork() a slot that is not free comes from the child's own threads, or never. As with a std::mutex,
/// no other thread may be inside one of these functions at the time of the fork().
/// @par Thread safety
/// All functions may be called by several tasks and threads, of several runtimes, at the same time.
class semaphore {
 public:
  /// Has that many free slots.
  explicit semaphore(std::size_t slots) noexcept : free_(slots) {}
  /// Ends the program if a task or thread waits for a slot, unless the process exits.
  ~semaphore();
  /// Not copyable.
  semaphore(const semaphore&) = delete;
  /// Not assignable.
  semaphore& operator=(const semaphore&) = delete;

  /// Takes a slot; waits until there is one. Who has waited longest gets the next.
  ///
  /// The calling task may resume on a different thread.
  /// @par Complexity
  /// A lock for a moment. If it has to wait, a suspension, and a hand-over to a worker that is idle.
  void acquire();
  /// Takes a slot if one is free and nobody waits. Returns whether it has.
  bool try_acquire() noexcept;
  /// Gives a slot back. There may be more of them afterwards than at the beginning.
  void release() noexcept;

  /// Calls f() with a slot.
  ///
  /// @return What f() returns.
  /// @throws anything that f() throws; the slot is given back then, too.
  template <class F>
  decltype(auto) hold(F&& f) {
    acquire();
    const struct gives_back {
      semaphore& to;
      ~gives_back() { to.release(); }
    } at_the_end{*this};
    return std::forward<F>(f)();
  }

 private:
  struct waiter;
  bool take(waiter* otherwise) noexcept;

  std::mutex mutex_;
  std::size_t free_;         // 0 while anyone waits
  waiter* first_ = nullptr;  // who waits, on the waiters' stacks
  waiter** last_ = &first_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
