#pragma once

#include <atomic>

#include "jackdaw/detail/root.hpp"
#include "tbb/arena.hpp"
#include "tbb/frame.hpp"

namespace jackdaw::onetbb {

/// A thread that is no worker, while it waits for a root. It may run tasks of others beside those of its root, and
/// these may be tied to it in a wait. So its root does not end before they have gone on. README.md.
class outsider {
 public:
  outsider() noexcept;
  ~outsider();
  outsider(const outsider&) = delete;
  outsider& operator=(const outsider&) = delete;

  /// The calling thread; null: a worker's own.
  static outsider* here() noexcept;

  /// Called on this thread by a task that is going to wait. False: the root is about to end, so the task must not leave
  /// the thread.
  [[nodiscard]] bool tie() noexcept;
  /// Called on this thread by a task that has waited.
  void untie() noexcept;
  /// Called by the root at its end, on any thread.
  void close() noexcept;

 private:
  outsider* const before_;  // a thread may wait for an isolated task within its root
  std::atomic<unsigned> tied_{0};
  std::atomic<bool> closing_{false};
};

/// Code that runs as a root of an arena.
class entry_root : public detail::root {
 public:
  void run() final;

 protected:
  /// `group` is that of the code that it is called for; null: none. `site` is where the program calls, so that a
  /// scheduler knows it again. `waits` is the thread that waits for it, if that is no worker.
  entry_root(arena& in, context* group, const void* site, outsider* waits) noexcept
      : in_(in), group_(group), site_(site), waits_(waits) {}
  virtual void body() = 0;

 private:
  arena& in_;
  context* const group_;
  const void* const site_;
  outsider* const waits_;
};

template <class F>
class entry_root_of final : public entry_root {
 public:
  entry_root_of(arena& in, context* group, const void* site, outsider* waits, F& f) noexcept
      : entry_root(in, group, site, waits), f_(f) {}

 private:
  void body() override { f_(); }
  F& f_;
};

void run_and_await(arena& in, entry_root& task);

/// While it lives, the calling thread, which is no worker, runs nothing itself of the roots that it waits for: in a
/// worker's place it would also run what others have forked.
class only_waiting {
 public:
  only_waiting() noexcept;
  ~only_waiting();
  only_waiting(const only_waiting&) = delete;
  only_waiting& operator=(const only_waiting&) = delete;

 private:
  const bool before_;
};

/// Calls f() as a root of the arena, whose end the calling thread, which is no worker, awaits. f must not throw.
template <class F>
void enter_and_run(arena& in, const void* site, F f) {
  const frame* const from = this_frame();
  outsider here;
  entry_root_of<F> task(in, from != nullptr ? from->now.context : nullptr, site, &here, f);
  run_and_await(in, task);
}

}  // namespace jackdaw::onetbb
