#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/pending.hpp"
#include "jackdaw/detail/task.hpp"
#include "jackdaw/work.hpp"

// Of the inside: not exported by a shared library.
namespace jackdaw::trace {
class recorder;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

class affinity;

/// Which side of a fork runs at once.
///
/// A child must not wait for something that its parent does after the fork: under either policy it may then wait
/// forever.
enum class policy : std::uint8_t {
  work_first,  ///< The child runs at once. Other workers can steal the rest of the parent.
  help_first   ///< The parent continues. Other workers can steal the child.
};

/// A group of child tasks that are waited for together.
///
/// Any code may stand between the calls of run(); it runs at the same time as the children.
///
///     jackdaw::task_group group(4);            // 4 units of work in all
///     group.run([&] { left(); }, 3);           // 3 of them here
///     group.run([&] { right(); }, 1);
///     group.wait();                            // rethrows the first exception of a child
///
/// The caller may resume on a different thread after run() and wait(). It must hold no lock and no reference to a
/// thread_local across them (docs/forks.md). Both functions may be called inside a catch handler, and in a destructor
/// while an exception passes; the children do not see that exception. A group can be used again after wait().
/// @par Thread safety
/// A group belongs to the task that made it, or to the thread if it was made outside of tasks. Only its owner may call
/// run() and wait() and destroy it. Misuse is detected in three cases. wait() by another task or thread throws error if
/// a child runs without its parent or the scheduler has placed a child. run() and wait() throw error if a thread uses a
/// task's group, or a task uses a thread's group, while children are left. The program ends if another task or thread
/// destroys such a group. Other misuse is not detected, because the check would slow down every fork.
class task_group {
 public:
  /// Makes a group whose children's work is known.
  ///
  /// @param total_work The sum of the amounts of work that will be passed to run(), in any unit. A negative amount, or
  /// one that is not finite, counts as unknown.
  /// @param order Which side of a fork runs at once.
  /// @par Source
  /// ADWS (SC'19), section 4.1.
  explicit task_group(double total_work, policy order = policy::work_first) noexcept
      : pending_(order == policy::help_first ? help_first : 0), total_(total_work) {}
  /// Makes a group without a work hint.
  explicit task_group(policy order) noexcept : task_group(unknown, order) {}
  /// Makes a work-first group without a work hint.
  task_group() noexcept : task_group(unknown) {}

  /// Waits for all children.
  ///
  /// A child's exception that no wait() has rethrown ends the program. It is dropped only if another exception leaves
  /// the group's scope, that is, if more exceptions are in flight than when a child was run. A group inside a
  /// destructor therefore behaves the same while an exception passes.
  ~task_group() {
    if (!pending_.untouched() && !pending_.none_but(help_first)) [[unlikely]] {
      abandon();
    }
  }
  /// Not copyable.
  task_group(const task_group&) = delete;
  /// Not assignable.
  task_group& operator=(const task_group&) = delete;

  /// Runs `f()` as a child of the group.
  ///
  /// Once a child has thrown, children that have not started are skipped. If run() throws, nothing has been forked.
  ///
  /// @param f A function without parameters. The child gets its own copy, or `f` itself if it is moved in. Its result
  /// is ignored.
  /// @param work The child's part of the group's total work. A negative amount, or one that is not finite, counts as
  /// unknown.
  /// @throws error if the group belongs to a thread and a task uses it, or the reverse, while children are left.
  /// @throws std::bad_alloc if there is no memory for the child.
  /// @throws anything that copying `f` throws and, outside of tasks, whatever runtime::instance() throws.
  /// @par Complexity
  /// Constant. A work-first child runs on a pooled stack and a small help-first child in pooled memory, so that a child
  /// which no scheduler places usually needs no allocation.
  template <class F>
  void run(F&& f, double work = unknown) {
    static_assert(detail::check_child<F>());
    if (detail::lane* const at = detail::this_lane(); at != nullptr && at->exceptions->none()) [[likely]] {
      const std::uint8_t marks = pending_.marks();
      if constexpr (detail::fiber::fits<work_first_child<std::decay_t<F>>>) {
        if ((marks == 0 || (marks == seen_by_scheduler && !at->current->searching)) && at->spare != nullptr)
            [[likely]] {
          passing_ = 0;
          spawn(at, std::forward<F>(f), work);
          return;
        }
      }
      if (marks == help_first || (marks == (help_first | seen_by_scheduler) && !at->current->searching)) {
        passing_ = 0;
        detail::task* const child = detail::make_task(std::forward<F>(f), at);
        if constexpr (std::is_trivially_constructible_v<std::decay_t<F>, F>) {
          push_child(at, child);
        } else if (detail::lane* const now = detail::this_lane()) {  // to copy the function may have forked
          push_child(now, child);
        } else {
          run_slowly(child, work);
        }
        return;
      }
    }
    run_slowly(detail::make_task(std::forward<F>(f)), work);
  }

  /// Runs `f()` as a child that prefers the workers near some memory: `group.run(jackdaw::near(rows), f)`.
  ///
  /// The child waits for a worker there, or for any worker that is idle. The caller continues at once, also in a
  /// work-first group. An affinity without a preference makes this an ordinary run(). The class affinity documents what
  /// the preference means.
  ///
  /// @param where Made by near() or on().
  /// @param f As in run(F&&, double).
  /// @param work As in run(F&&, double).
  /// @throws error, and runs nothing, if `where` is an on() that the machine or the runtime does not have.
  /// @throws anything that run(F&&, double) throws.
  /// @par Complexity
  /// One allocation and one hand-over to another worker. The child should take at least microseconds.
  template <class F>
  void run(const affinity& where, F&& f, double work = unknown) {
    static_assert(detail::check_child<F>());
    run_near(where, detail::make_task(std::forward<F>(f)), work);
  }

  /// Runs `f()` as an inter-socket task: any socket may get it as a whole.
  ///
  /// What the task forks with run() or invoke() stays in the socket that got it. Each socket runs one inter-socket task
  /// at a time. Under the scheduler `cab` these marks replace the boundary level in the whole region. Other schedulers,
  /// and `cab` without a boundary (on one socket, or as `cab:0`), treat the call as run().
  ///
  /// An inter-socket task cannot be nested inside an ordinary task. In three cases the call is therefore an ordinary
  /// run(): in a task that was forked by run() or invoke(), in an inter-socket task that has called run() or invoke()
  /// before its first inter_spawn(), and while the task has unjoined children from run() in another group.
  ///
  /// @param f As in run(F&&, double).
  /// @param work As in run(F&&, double).
  /// @throws anything that run(F&&, double) throws.
  /// @par Source
  /// CAB (2011), section III-D.
  template <class F>
  void inter_spawn(F&& f, double work = unknown) {
    static_assert(detail::check_child<F>());
    run_slowly(detail::make_task(std::forward<F>(f)), work, nullptr, true);
  }

  /// Waits until all children have ended, then rethrows the first exception of a child.
  ///
  /// A task is suspended meanwhile and its worker runs other tasks. A thread outside of tasks sleeps.
  ///
  /// @throws error, without waiting, if the caller is not the group's owner and the misuse is detected.
  /// @throws anything that a child threw; of several exceptions the first.
  void wait() {
    // Children are in the deque only where help_first says so.
    if (pending_.untouched()) [[likely]] {
      JACKDAW_ACQUIRES(this);
      return;
    }
    if (pending_.marks() == help_first) {
      run_pushed();
      if (pending_.none_but(help_first)) [[likely]] {
        JACKDAW_ACQUIRES(this);
        return;
      }
    }
    wait_slowly();
  }

 private:
  friend class detail::group_access;
  friend struct detail::c_layout;  // of compat/cilk
  friend class detail::shared_group;
  friend class detail::sited_group;

  // Marks: any of them keeps run() and wait() off the short way; but children of a group that the scheduler has seen
  // take it once the group's task is in the lower tier.
  static constexpr std::uint8_t help_first = 1;
  static constexpr std::uint8_t seen_by_scheduler = 2;  // upper_ is set
  static constexpr std::uint8_t failing = 4;            // a child has thrown; the first one writes error_
  static constexpr std::uint8_t of_outsider = 8;        // its thread is no worker
  static constexpr std::uint8_t recorded = 16;          // recorded_ is set
  static constexpr std::uint8_t transient =
      seen_by_scheduler | failing | of_outsider | recorded;  // until wait() returns

  /// A child's function, at the top of its stack. One that is too large for that goes to the heap.
  template <class F>
  struct alignas(alignof(F) < 16 ? 16 : alignof(F)) work_first_child {
    template <class A>
    work_first_child(std::in_place_t, A&& f) : function(std::forward<A>(f)) {}

    /// On the child's own stack. Returns only to the spawn that called it.
    /// Not called `main`: g++ takes any function of that name for one that runs once, and inlines
    /// nothing into it.
    JACKDAW_UNSEEN static void* begin(void* self) noexcept {
      detail::fiber* const stack = detail::fiber::of(static_cast<work_first_child*>(self));
      if (detail::announced) {
        detail::announce_arrive();
      }
      static_cast<work_first_child*>(self)->live(stack);
      // The parent was not taken. Nothing else runs on this thread before it is off this stack, so the stack is among
      // the free ones already.
      if (detail::announced) {
        detail::announce_leave(stack, stack->parent.of, true);
        void* nowhere = nullptr;
        detail::jackdaw_switch(&nowhere, stack->parent.context, nullptr);
      }
      return nullptr;
    }

    /// Returns only if the parent was not taken meanwhile.
    void live(detail::fiber* on) noexcept {
      detail::expose(on);
      JACKDAW_TRY { function(); }
      JACKDAW_CATCH { on->parent.group->fail(); }
      this->~work_first_child();
      // Computed again rather than kept in registers that the parent had to save.
      on = detail::forgotten(on);
      detail::lane* const at = detail::this_lane();
      if (!at->deque.pop(&on->parent)) [[unlikely]] {
        if (on->exposed) {
          on->parent.group->end_detached(on);
        }
        on->exposed = true;
      }
      at->current = on->parent.of;
      on->next = at->spare;
      at->spare = on;
    }

    F function;
  };

  /// A child that was made on a stack and runs elsewhere after all.
  template <class Child>
  class parked {
   public:
    explicit parked(Child* made) noexcept : made_(made) {}
    parked(parked&& other) noexcept : made_(std::exchange(other.made_, nullptr)) {}
    ~parked() {
      if (made_ != nullptr) {
        detail::fiber* const stack = detail::fiber::of(made_);
        made_->~Child();
        give_back(stack);
      }
    }
    void operator()() { made_->function(); }

   private:
    Child* made_;
  };

  /// Starts f on a stack that is at hand, and exposes what follows.
  template <class F>
  void spawn(detail::lane* at, F&& f, double work) {
    using function = std::decay_t<F>;
    using child = work_first_child<function>;
    detail::fiber* const stack = at->spare;
    at->spare = stack->next;  // first: the function's constructor may fork
    if (detail::announced) {
      detail::announce_start(stack);  // before anything is written to the stack
    }
    child* closure = nullptr;
    void* const place = stack->place<child>();
    if constexpr (std::is_nothrow_constructible_v<function, F>) {
      closure = ::new (static_cast<void*>(place)) child(std::in_place, std::forward<F>(f));
    } else {
      JACKDAW_TRY { closure = ::new (static_cast<void*>(place)) child(std::in_place, std::forward<F>(f)); }
      JACKDAW_CATCH {
        give_back(stack);
        JACKDAW_RETHROW;
      }
    }
    if constexpr (!std::is_trivially_constructible_v<function, F>) {
      // It may have gone on on another worker; or in the upper tier, if it has waited for a group of the caller's.
      at = detail::this_lane();
      if (at == nullptr) [[unlikely]] {
        run_slowly(detail::make_task(parked<child>(closure)), work);
        return;
      }
    }
    stack->parent.of = at->current;
    stack->parent.group = this;
    at->current = stack;
    if (detail::announced) {
      detail::announce_leave(stack->parent.of, stack, false);
    }
    detail::jackdaw_call_on(&stack->parent.context, closure, &child::begin);
    // Here again: called back by the child, or resumed by the worker that took the continuation, perhaps on another
    // thread.
    if (detail::announced) {
      detail::announce_arrive();
    }
  }

  /// Help-first in the lower tier.
  void push_child(detail::lane* at, detail::task* child) {
    child->group = this;
    pending_.push();
    JACKDAW_RELEASES(static_cast<detail::entry*>(child));
    if (!at->deque.push(child) && !detail::attend(at)) [[unlikely]] {
      // Full: the child runs now, on this stack.
      run_aside(child);
    }
  }

  void run_in_place(detail::worker& on, detail::task* child) noexcept;

  /// Children that were pushed and not taken run here, newest first. Ends when the newest entry is another
  /// one, which may be stolen at any time. Between two of them others have their turn, as at a fork.
  void run_pushed() noexcept {
    while (pending_.any_pushed()) {
      detail::look_up_if_asked();
      detail::lane* const at = detail::this_lane();
      detail::task* const own = at != nullptr ? pop_own(*at) : nullptr;
      if (own == nullptr) {
        return;
      }
      if (at->exceptions->none()) [[likely]] {
        run_alone(own);
      } else {
        run_aside(own);
      }
    }
  }

  /// The group's newest child, if that is the deque's newest entry and no scheduler knows it.
  detail::task* pop_own(detail::lane& at) noexcept {
    // Only once it is off the deque is it certain that it is still there to be looked at.
    detail::entry* const newest = at.deque.pop_newest();
    if (newest == nullptr) {
      return nullptr;
    }
    if (newest->start == detail::task::starter()) [[likely]] {
      auto* const child = static_cast<detail::task*>(newest);
      if (child->group == this && child->upper == nullptr) [[likely]] {
        return child;
      }
    }
    put_back(at, newest);
    return nullptr;
  }

  /// Runs a child that was pushed and is off the deque, unless one has thrown. The group's task is handling no
  /// exception, and none is on its way.
  void run_alone(detail::task* child) noexcept {
    const detail::under_control forked_under(child->control);
    if ((pending_.marks() & failing) == 0) [[likely]] {
      JACKDAW_TRY { child->run_out(); }
      JACKDAW_CATCH { fail(); }
    } else {
      delete child;
    }
    pending_.take_back();
  }

  /// `site`: the place in the program that forks; null: the caller's. `inter`: the child is an inter-socket task.
  [[gnu::noinline]] void run_slowly(detail::task* made, double work, const void* site = nullptr, bool inter = false);
  [[gnu::noinline]] void run_near(const affinity& where, detail::task* made, double work, const void* site = nullptr);
  [[gnu::noinline]] void wait_slowly();
  bool is_of_this_kind() const noexcept;
  bool is_used_here() noexcept;
  void begin_run();
  /// What the scheduler knows of the group; null if that is nothing.
  detail::upper_group* upper() const noexcept { return (pending_.marks() & seen_by_scheduler) != 0 ? upper_ : nullptr; }
  /// A stack that was taken for a child and is not needed: to the worker that the calling task is on now.
  [[gnu::noinline]] static void give_back(detail::fiber* stack) noexcept;
  void open_upper(detail::worker& on, const void* site);
  void place(detail::worker& on, std::unique_ptr<detail::task> child, double work, const void* site, bool inter);
  void run_recorded(trace::recorder& into, detail::task& child, double work, const void* site, bool inter) noexcept;
  void wait_stranded(detail::worker& on);
  /// run_alone(), whatever the group's task is handling.
  [[gnu::noinline]] void run_aside(detail::task* child) noexcept;
  [[gnu::noinline]] static void put_back(detail::lane& at, detail::entry* other) noexcept;
  [[gnu::noinline]] void abandon();
  /// Keeps the exception being handled if it is the group's first.
  [[gnu::noinline]] void fail() noexcept;
  /// The end of a work-first child whose parent went on elsewhere.
  [[noreturn, gnu::noinline]] static void end_detached(detail::fiber* stack) noexcept;

  detail::basic_pending<detail::hardware, detail::fiber> pending_;
  double total_;
  std::uint8_t passing_ = 255;  // the fewest exceptions that were on their way when a child was run
  bool keeps_owner_ = false;    // help-first in the upper tier, too: run() leaves its caller's task where it is
  // What follows is there only where a mark says so, and is not touched otherwise: a group costs few stores.
  std::uint32_t recorded_;      // index in the recording
  detail::upper_group* upper_;  // owned
  const void* user_;            // the task or thread that ran the first detached child, while any is
  alignas(std::exception_ptr) std::byte error_[sizeof(std::exception_ptr)];
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
