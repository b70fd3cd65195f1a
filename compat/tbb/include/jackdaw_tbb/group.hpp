#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/lane.hpp"
#include "jackdaw/detail/shared_group.hpp"
#include "jackdaw/detail/task_slot.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw_tbb/absent.hpp"
#include "jackdaw_tbb/handle.hpp"
#include "jackdaw_tbb/scope.hpp"

namespace tbb {
namespace detail::d1 {
inline namespace on_jackdaw {

/// Children that are waited for together. Any task and any thread may call run(), cancel() and wait().
///
/// There are three kinds of children:
/// - those that the task runs which has made the group, in the place where it has made it: children of a group of
///   jackdaw's, which the scheduler lays out;
/// - those that the descendants of children run: they join the children of the nearest group of jackdaw's;
/// - all others, such as those of threads that are no workers: roots, each with a group of jackdaw's for descendants.
///   In isolated code, which waits for nothing outside, they run at once.
class task_group {
 public:
  task_group() : task_group(scope_maker{}) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as in oneTBB
  task_group(task_group_context& context) : task_group(scope_maker{}, context) {}

  /// Throws missing_wait if children are left, after it has cancelled them and waited.
  ~task_group() noexcept(false) {
    if (!has_any()) return;
    cancel();
    wait_for_all();
    if (std::uncaught_exceptions() == 0) throw_exception(exception_id::missing_wait);
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Runs f() as a child. Returns on the calling thread.
  template <class F>
  void run(F&& f) {
    add(child<std::decay_t<F>>{this, nullptr, std::forward<F>(f)});
  }
  void run(d2::task_handle&& handle) { run(call_of_handle(std::move(handle))); }

  /// Returns a child to be run later.
  template <class F>
  d2::task_handle defer(F&& f) {
    return make_handle(std::forward<F>(f), scope_, absent_);
  }

  /// Calls f() as a child, and waits for all.
  template <class F>
  task_group_status run_and_wait(const F& f) {
    run_here(f);
    return wait();
  }
  task_group_status run_and_wait(d2::task_handle&& handle) {
    run_here(call_of_handle(std::move(handle)));
    return wait();
  }

  /// Waits for all children. Returns on the calling thread.
  task_group_status wait() {
    wait_for_all();
    if (!scope_.cancelled()) return complete;
    scope_.reset();
    scope_.rethrow();
    return canceled;
  }

  void cancel() { scope_.cancel(); }

 private:
  struct scope_maker {};

  template <class... Context>
  explicit task_group(scope_maker, Context&... context) : scope_(context...) {
    if (!is_on_stack()) scope_.come_loose();
    if (is_in_task()) {
      owner_ = &jackdaw::detail::task_slot();
      place_ = *owner_;
    }
  }

  template <class F>
  struct child {
    task_group* group;
    jackdaw::detail::shared_group* adds_to;
    F function;
    void operator()() { group->call(adds_to, function); }
  };
  /// One that is a root.
  template <class F>
  struct root {
    child<F> what;
    void operator()() {
      task_group& group = *what.group;
      {
        child<F> until_it_has_ended(std::move(what));
        until_it_has_ended();
      }
      group.absent_.end();
    }
  };

  /// Whether this is a variable of what runs here, and so ends before that: it is in the calling stack, not far from
  /// here, or between here and the innermost place.
  [[gnu::noinline]] bool is_on_stack() const noexcept {
    constexpr std::uintptr_t near = 16384;  // about a frame: the place may be in the same one
    const auto at = reinterpret_cast<std::uintptr_t>(this);
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    return at > here && at < std::max(here, reinterpret_cast<std::uintptr_t>(this_place())) + near;
  }

  static bool is_in_task() noexcept {
    return jackdaw::detail::this_lane() != nullptr || jackdaw::this_worker().has_value();
  }

  /// Whether the calling task has made the group, and is where it was then.
  bool is_owner() const noexcept { return owner_ == &jackdaw::detail::task_slot() && *owner_ == place_; }

  /// Where the calling task runs in a child of this group, or in isolated code within none; null: in neither.
  const place* around() const noexcept {
    const place* const here = this_place();
    return here != nullptr ? here->find(this) : nullptr;
  }

  template <class F>
  void add(child<F>&& one) {
    if (is_owner()) {
      if (!std::exchange(is_open_, true)) absent_.begin();
      one.adds_to = &own_;
      own_.run(std::move(one));
      return;
    }
    const place* const within = around();
    if (within != nullptr && within->is_apart()) {
      // Threads leave isolated code: what is left behind in their deques might find no worker.
      if (!within->is_isolated()) {
        one.adds_to = within->adds_to();
        one();
      } else {
        absent_.begin();
        root<F>{std::move(one)}();
      }
      return;
    }
    // In the upper tier only a group of the task's own would do.
    if (within != nullptr && jackdaw::detail::this_lane() != nullptr) {
      one.adds_to = within->adds_to();
      within->adds_to()->add(std::move(one));
      return;
    }
    absent_.begin();
    JACKDAW_TRY { static_cast<void>(jackdaw::async(root<F>{std::move(one)})); }
    JACKDAW_CATCH {
      absent_.end();
      JACKDAW_RETHROW;
    }
  }

  /// The calling task becomes the child. In the upper tier it has a group of its own for its descendants, which it owns
  /// as far as the scheduler knows.
  template <class F>
  void call(jackdaw::detail::shared_group* adds_to, F& f) {
    if (scope_.cancelled()) return;
    const settings_of captured(scope_.given());
    if (adds_to != nullptr && jackdaw::detail::this_lane() != nullptr) {
      const place here(scope_, this, adds_to);
      guarded(scope_, [&] { std::invoke(f); });
      return;
    }
    jackdaw::detail::shared_group mine;
    {
      const place here(scope_, this, &mine);
      guarded(scope_, [&] { std::invoke(f); });
    }
    mine.wait();
  }

  template <class F>
  void run_here(F&& f) {
    if (is_owner()) {
      if (!std::exchange(is_open_, true)) absent_.begin();
      call(&own_, f);
    } else if (is_in_task()) {
      const place* const within = around();
      call(within != nullptr && !within->is_isolated() ? within->adds_to() : nullptr, f);
    } else {
      jackdaw::runtime::instance().run([&] { call(nullptr, f); });
    }
  }

  /// Whether children have not ended, as far as the caller can know.
  bool has_any() {
    if (is_owner() && is_open_ && own_.none()) close();
    return !absent_.none();
  }

  void wait_for_all() {
    if (is_owner() && is_open_) {
      own_.wait();
      close();
    }
    absent_.wait();
  }

  void close() {
    is_open_ = false;
    absent_.end();
  }

  scope scope_;
  void** owner_ = nullptr;  // the slot of the task that has made the group; null: a thread that is no worker has
  void* place_ = nullptr;   // and what was in it
  bool is_open_ = false;    // children are in own_, and count as one in absent_; the owner's
  jackdaw::detail::shared_group own_;
  absent absent_;
};

inline bool is_current_task_group_canceling() {
  place* const here = this_place();
  return here != nullptr ? here->of().cancelled() : jackdaw_tbb_libtbb_is_canceling();
}

}  // namespace on_jackdaw
}  // namespace detail::d1

inline namespace v1 {
using detail::d1::is_current_task_group_canceling;
using detail::d1::on_jackdaw::task_group;
}  // namespace v1
}  // namespace tbb
