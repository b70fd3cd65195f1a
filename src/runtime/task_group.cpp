#include "jackdaw/task_group.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "jackdaw/detail/shared_group.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/affinity.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/exceptions.hpp"
#include "runtime/fatal.hpp"
#include "runtime/group_access.hpp"
#include "runtime/notes.hpp"
#include "runtime/outside_group.hpp"
#include "runtime/process.hpp"
#include "runtime/region.hpp"
#include "runtime/threads.hpp"
#include "runtime/uncancelled.hpp"
#include "runtime/visit.hpp"
#include "runtime/worker.hpp"
#include "trace/recorder.hpp"

namespace jackdaw {
namespace detail {
namespace {

/// Groups of a root are iterations; the place in the program that opened one is the address of a region's name if a
/// region did.
void tell_of_iteration(const worker& on, event_kind what, const upper_group& opened) noexcept {
  if (on.home.observed_by() != nullptr && opened.task.parent == nullptr) [[unlikely]] {
    const std::string* const name = region_name(reinterpret_cast<const void*>(opened.site));
    tell(on, what, opened.task, name != nullptr ? std::string_view(*name) : std::string_view(), opened.site);
  }
}

}  // namespace

const void* shared_group::running_slow() noexcept { return running(); }

void shared_group::suspend() noexcept {
  worker& on = *this_worker();
  if (group_.upper() == nullptr && !on.never_suspends()) on.suspend(&group_access::begin_wait, &group_);
}

fiber* group_access::child_done(task_group& group, worker* on) noexcept {
  releases(&group);
  if (on == nullptr || (group.pending_.marks() & task_group::of_outsider) != 0) {
    if (on != nullptr) {
      on->home.root_goes();
    }
    // The waiting thread looks under the lock, so the group outlives the lock.
    meeting_point& at = meeting_point::of(group);
    {
      const std::lock_guard hold(at.mutex);
      if (group.pending_.end()) {
        fatal("a group of a thread that is no worker has counted off its own task");
      }
      at.end(group.pending_.none());
    }
    if (on != nullptr) {
      on->home.roots().end();
    }
    return nullptr;
  }
  return group.pending_.end() ? resume_waiter(group, *on) : nullptr;
}

fiber* group_access::resume_waiter(task_group& group, worker& on) noexcept {
  acquires(&group);  // what the children did
  fiber* const waiter = group.pending_.restart();
  upper_group* const upper = group.upper();
  if (upper == nullptr) {
    return waiter;
  }
  sched::upper_task& task = upper->task;
  const sched::destination where = on.home.scheduler().close(on.id, *upper);
  tell_of_iteration(on, event_kind::close, *upper);
  task.leave(*upper);
  delete upper;
  group.pending_.unmark(task_group::seen_by_scheduler);
  waiter->searching = where.as == sched::tier::upper;
  if (where.where == sched::destination::how::here) {
    return waiter;
  }
  on.counts.migrations.add();
  tell(on, event_kind::ready, waiter);
  on.home.place(where, item_of(waiter), waiter->turn);
  return nullptr;
}

fiber* group_access::begin_wait(worker& on, fiber* left, void* argument) noexcept {
  auto& group = *static_cast<task_group*>(argument);
  releases(&group);
  return group.pending_.wait(left) ? resume_waiter(group, on) : nullptr;
}

}  // namespace detail

using detail::group_access;

namespace {

constexpr const char* not_its_own =
    "a task_group was used by two tasks or threads: only the one that has made a group may run children in it "
    "and wait for them";

}  // namespace

void task_group::run_slowly(detail::task* made, double work, const void* site, bool inter) {
  if (detail::lane* const at = detail::this_lane();
      at != nullptr && pending_.marks() == 0 && at->owner->home.ties_tasks() && at->exceptions->none()) {
    // The first child of a work-first group. No other thread could go on with the parent.
    pending_.mark(help_first);
    passing_ = 0;
    push_child(at, made);
    return;
  }
  if (site == nullptr) {
    site = __builtin_return_address(0);
  }
  std::unique_ptr<detail::task> child(made);
  if (group_access::failed(*this)) {
    return;
  }
  begin_run();
  child->group = this;
  detail::worker* const on = detail::this_worker();
  if (on == nullptr) {
    pending_.mark(of_outsider);
    auto* const sent = new detail::outside_child(child.release());
    group_access::detach(*this, detail::running());
    detail::meeting_point& at = detail::meeting_point::of(*this);
    at.begin();
    try {
      runtime::instance().send(*sent, false);
    } catch (...) {
      delete sent;
      at.is_not_sent();
      pending_.end_here();
      throw;
    }
    return;
  }
  if (trace::recorder* const into = on->home.recorder()) {
    run_recorded(*into, *child, work, site, inter);
    return;
  }
  if (on->in_place()) {
    run_in_place(*on, child.release());
    return;
  }
  if (on->active->current->searching ||
      (inter && upper() != nullptr && !on->stranded && on->home.scheduler().places_below(*upper()))) {
    place(*on, std::move(child), work, site, inter);
    return;
  }
  if (on->home.ties_tasks()) {
    pending_.mark(help_first);  // as above
  }
  if ((pending_.marks() & help_first) != 0) {
    push_child(on->active, child.release());
    return;
  }
  // Work-first, on a stack that the lane did not have.
  if (on->refill()) {
    {
      const detail::exceptions_aside of_parent;
      spawn(on->active, [child = std::move(child)] { child->run(); }, work);
    }
    // Deep recursion takes all its stacks here, and returns through here.
    detail::this_worker()->shed();
    return;
  }
  run_in_place(*on, child.release());
}

/// Runs the child on its parent's stack, because there is no other stack, or there may be none.
void task_group::run_in_place(detail::worker& on, detail::task* child) noexcept {
  on.counts.in_place.add();
  pending_.push();
  run_aside(child);
}

void task_group::run_near(const affinity& where, detail::task* made, double work, const void* site) {
  if (site == nullptr) {
    site = __builtin_return_address(0);
  }
  std::unique_ptr<detail::task> child(made);
  detail::worker* const on = detail::this_worker();
  std::optional<runtime::visit> inside;
  if (on == nullptr) {
    inside.emplace(runtime::instance());
  }
  detail::threads& home = on != nullptr ? on->home : inside->engine;
  const auto domain = home.domain_of(where);
  if (!domain || (on != nullptr && (on->stranded || on->in_place()))) {
    inside.reset();
    run_slowly(child.release(), work, site);
    return;
  }
  if (group_access::failed(*this)) {
    return;
  }
  begin_run();
  child->group = this;
  if (on == nullptr) {
    pending_.mark(of_outsider);
    home.root_comes();
    home.roots().begin();
    detail::meeting_point::of(*this).begin();
  } else {
    on->counts.migrations.add();
    if (on->active->current->searching) {
      // The scheduler does not place the child, but it says where the task continues once its children have ended.
      open_upper(*on, site);
    }
    if (upper() != nullptr) {
      upper_->share(work);  // leaves the rest of the total to the siblings; the child owns no part of the span
    }
  }
  group_access::detach(*this, detail::running());
  detail::task* const placed = child.release();
  try {
    home.place_near(*domain, detail::item_of(placed));
  } catch (...) {
    delete placed;
    if (on == nullptr) {
      home.root_goes();
      home.roots().end();
      detail::meeting_point::of(*this).is_not_sent();
    }
    pending_.end_here();
    throw;
  }
}

void task_group::run_recorded(trace::recorder& into, detail::task& child, double work, const void* site,
                              bool inter) noexcept {
  if ((pending_.marks() & recorded) == 0) {
    recorded_ = into.open_group(total_, false, detail::opened_at(site));
    pending_.mark(recorded);
  }
  into.fork(recorded_, work, (pending_.marks() & help_first) != 0, inter);
  const detail::exceptions_aside of_parent;
  try {
    child.run();
  } catch (...) {
    fail();
  }
  into.end_task();
}

/// Opens this group with the scheduler, if that does not know it yet. The running task is in the upper tier.
void task_group::open_upper(detail::worker& on, const void* site) {
  if (upper() != nullptr) {
    return;
  }
  sched::upper_task& task = *on.active->current->upper;
  upper_ = new detail::upper_group(task, task.group, task.rest(), total_,
                                   reinterpret_cast<std::uintptr_t>(detail::opened_at(site)));
  task.group = upper_;
  detail::tell_of_iteration(on, detail::event_kind::open, *upper_);
  try {
    on.home.scheduler().open(on.id, *upper_);
  } catch (...) {
    detail::tell_of_iteration(on, detail::event_kind::close, *upper_);
    task.group = upper_->around;
    delete upper_;
    throw;
  }
  pending_.mark(seen_by_scheduler);
}

void task_group::place(detail::worker& on, std::unique_ptr<detail::task> child, double work, const void* site,
                       bool inter) {
  sched::scheduler& scheduler = on.home.scheduler();
  detail::fiber* const self = on.active->current;
  sched::upper_task& task = *self->upper;
  open_upper(on, site);
  const sched::span part = upper_->cut_part(scheduler.part_for(on.id, *upper_, work));
  auto known = std::make_unique<sched::upper_task>(task, part, upper_->children++);
  known->inter = inter;
  const sched::destination where = scheduler.fork(on.id, *upper_, *known);
  child->upper = known.release();
  child->searching = where.as == sched::tier::upper;
  group_access::detach(*this, detail::running());
  if (where.where != sched::destination::how::here) {
    on.counts.migrations.add();
    detail::task* const placed = child.release();
    if (on.home.try_place(where, detail::item_of(placed))) {
      return;
    }
    // There is no memory to place the child. So it runs here, and its parent, which needs none, waits for a worker.
    on.leave(
        [](detail::worker& on, detail::fiber* left, void* first) noexcept -> detail::fiber* {
          on.home.requeue(left);
          on.set_next(detail::item_of(static_cast<detail::task*>(first)));
          return nullptr;
        },
        placed);
    return;
  }
  // The child starts here. The parent's rest is no longer a search.
  self->searching = false;
  if (keeps_owner_ || on.home.ties_tasks()) {
    // Help-first: a parent that gave way would have to wait for the child, as no other thread may go on with it.
    detail::task* const exposed = child.release();
    detail::releases(static_cast<detail::entry*>(exposed));
    detail::set_this_lane(on.active);
    on.keep(exposed);
    return;
  }
  on.leave(
      [](detail::worker& on, detail::fiber* left, void* first) noexcept -> detail::fiber* {
        on.expose(left);
        on.set_next(detail::item_of(static_cast<detail::task*>(first)));
        return nullptr;
      },
      child.release());
}

void task_group::wait_slowly() {
  if (!is_used_here()) {
    throw error(not_its_own);
  }
  detail::worker* on = detail::this_worker();
  if (on == nullptr) {
    const detail::uncancelled until_all_have_ended;
    detail::meeting_point& at = detail::meeting_point::of(*this);
    std::unique_lock hold(at.mutex);
    std::chrono::milliseconds next(1);
    while (!at.group_ended.wait_for(hold, next, [&] { return pending_.none() || at.children == 0; })) {
      // Without the lock, because threads inside the door may need it.
      hold.unlock();
      next = runtime::visit::look_after_default();
      hold.lock();
    }
    if (!pending_.none()) {
      detail::end_of_child("a group is waited for whose children only the parent process has");
    }
  } else if ((pending_.marks() & recorded) != 0) {
    on->home.recorder()->wait(recorded_);
  } else if (on->stranded) {
    wait_stranded(*on);
  } else if (upper() != nullptr) {
    on->home.scheduler().wait(on->id, *upper_,
                              on->active->current->searching ? sched::tier::upper : sched::tier::lower);
    run_pushed();  // as far as they are in this worker's deque; none are while the task searches
    detail::this_worker()->suspend(&group_access::begin_wait, this);
  } else {
    while (!pending_.none()) {
      detail::look_up_if_asked();
      on = detail::this_worker();
      // Children that were pushed help-first and were not taken run here, newest first.
      if (detail::task* const own = pop_own(*on->active)) {
        run_aside(own);
      } else {
        on->suspend(&group_access::begin_wait, this);
      }
    }
  }
  detail::acquires(this);
  if ((pending_.unmark(transient) & failing) != 0) {
    auto* const error = std::launder(reinterpret_cast<std::exception_ptr*>(error_));
    const std::exception_ptr thrown = std::move(*error);
    error->~exception_ptr();
    std::rethrow_exception(thrown);
  }
}

/// Runs the remaining children here. What the scheduler knows of the group has no effect any more.
void task_group::wait_stranded(detail::worker& on) {
  while (!pending_.none()) {
    if (detail::task* const own = pop_own(*on.active)) {
      run_aside(own);
    } else {
      on.suspend(&group_access::begin_wait, this);  // ends the process
    }
  }
  if (detail::upper_group* const known = upper()) {
    known->task.leave(*known);
    delete known;  // wait_slowly removes its mark at the end
  }
}

void task_group::put_back(detail::lane& at, detail::entry* other) noexcept { at.owner->keep(other); }

/// Whether the group is of the caller's kind: a thread's if the caller is a thread that is no worker, otherwise a
/// task's. A group without children may become a thread's.
bool task_group::is_of_this_kind() const noexcept {
  const bool of_thread = (pending_.marks() & of_outsider) != 0;
  return of_thread == (detail::this_worker() == nullptr) || (!of_thread && pending_.none());
}

/// Whether the group belongs to the calling task or thread, as far as that is known.
bool task_group::is_used_here() noexcept {
  if (pending_.waited_for() || !is_of_this_kind()) {
    return false;
  }
  if (const detail::upper_group* const known = upper()) {
    return &known->task == detail::running_upper_task();
  }
  return !pending_.any_detached() || std::atomic_ref(user_).load(std::memory_order_relaxed) == detail::running();
}

void task_group::begin_run() {
  if (!is_of_this_kind()) {
    throw error(not_its_own);
  }
  passing_ = static_cast<std::uint8_t>(std::min(std::uncaught_exceptions(), int{passing_}));
}

void task_group::abandon() {
  if (!is_used_here()) {
    detail::end_for(not_its_own);
  }
  try {
    wait_slowly();
  } catch (...) {
    if (std::uncaught_exceptions() <= passing_) {
      detail::end_for("a task_group was destroyed with an exception of a child that nobody had waited for");
    }
  }
}

void task_group::fail() noexcept {
  // The first child that fails writes this; the group's task reads it once all children have ended.
  if ((pending_.mark(failing) & failing) == 0) {
    new (error_) std::exception_ptr(detail::caught());
  }
}

void task_group::run_aside(detail::task* child) noexcept {
  const detail::exceptions_aside of_parent;
  run_alone(child);
}

void task_group::give_back(detail::fiber* stack) noexcept {
  detail::lane& at = *detail::this_worker()->active;
  stack->next = at.spare;
  at.spare = stack;
}

void task_group::end_detached(detail::fiber* stack) noexcept {
  detail::worker* const on = detail::this_worker();
  stack->tsan_stale = true;  // live() does not return
  on->finish(group_access::child_done(*stack->parent.group, on));
}

}  // namespace jackdaw
