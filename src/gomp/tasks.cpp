// Explicit tasks: queues, running, ending. README.md says which tasks a waiting member may run.
#include "gomp/tasks.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "gomp/depend_table.hpp"
#include "gomp/fail.hpp"

namespace jackdaw::gomp {

task::~task() = default;

void release(task* one) noexcept {
  // Acquire and release: the last user sees what all others have done with the task.
  while (one != nullptr && one->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    task* const parent = one->parent;
    one->~task();
    std::free(one);
    one = parent;
  }
}

void task_queue::put(task& one) noexcept {
  const holding hold(lock_);
  link(one);
}

void task_queue::put_amid(task& one) noexcept {
  const holding hold(lock_);
  is_mixed_ = true;
  link(one);
}

/// Called with the lock.
void task_queue::link(task& one) noexcept {
  task* const before = newest_.load(std::memory_order_relaxed);
  one.older = before;
  one.newer = nullptr;
  (before != nullptr ? before->newer : oldest_) = &one;
  newest_.store(&one, std::memory_order_relaxed);
}

/// Called with the lock.
task* task_queue::unlink(task* one, const task* of) noexcept {
  if (one == nullptr || (of != nullptr && !one->descends_from(*of))) {
    return nullptr;
  }
  (one->older != nullptr ? one->older->newer : oldest_) = one->newer;
  if (one->newer != nullptr) {
    one->newer->older = one->older;
  } else {
    newest_.store(one->older, std::memory_order_relaxed);
    if (one->older == nullptr) is_mixed_ = false;
  }
  return one;
}

task* task_queue::take_newest(const task* of) noexcept {
  if (newest_.load(std::memory_order_relaxed) == nullptr) return nullptr;
  const holding hold(lock_);
  task* one = newest_.load(std::memory_order_relaxed);
  if (is_mixed_ && of != nullptr) {
    while (one != nullptr && !one->descends_from(*of)) one = one->older;
  }
  return unlink(one, of);
}

task* task_queue::take_oldest(const task* of) noexcept {
  if (newest_.load(std::memory_order_relaxed) == nullptr) return nullptr;
  const holding hold(lock_);
  task* one = oldest_;
  if (is_mixed_ && of != nullptr) {
    while (one != nullptr && !one->descends_from(*of)) one = one->newer;
  }
  return unlink(one, of);
}

task* find_task(member& self, const task* of) noexcept {
  team& in = *self.in;
  if (!in.has_queued()) {
    return nullptr;
  }
  task* found = self.tasks.take_newest(of);
  // Members with near numbers have near places.
  for (unsigned away = 1; found == nullptr && away < in.size; ++away) {
    const unsigned step = away % 2 != 0 ? (away + 1) / 2 : in.size - away / 2;
    found = in.members[(self.id + step) % in.size].tasks.take_oldest(of);
  }
  if (found != nullptr) {
    in.taken.fetch_add(1, std::memory_order_relaxed);
  }
  return found;
}

void offer(member* by, task& one) noexcept {
  team& in = *one.in;
  if (by != nullptr) {
    by->tasks.put(one);
  } else {
    member* const self = current_member;
    (self != nullptr && self->in == &in ? *self : in.members[0]).tasks.put_amid(one);
  }
  in.offered.fetch_add(1, std::memory_order_seq_cst);
  // One sleeper is enough if it may run anything.
  in.changes.ring(in.choosy.load(std::memory_order_seq_cst) == 0 ? 1 : INT_MAX);
}

task& make_task(member& by, task::kind as, void (*function)(void*), void* data, void (*copy)(void*, void*), long size,
                long alignment) {
  const auto room = static_cast<std::size_t>(size);
  const std::size_t at = alignment > 16 ? static_cast<std::size_t>(alignment) - 1 : 15;
  void* const memory = std::malloc(sizeof(task) + at + room);
  if (memory == nullptr) {
    fail("no memory is left for a task");
  }
  task& one = *new (memory) task;
  auto argument = reinterpret_cast<std::uintptr_t>(&one + 1);
  argument = (argument + at) & ~static_cast<std::uintptr_t>(at);
  task& parent = *by.now;
  one.function = function;
  one.data = reinterpret_cast<void*>(argument);
  one.parent = &parent;
  one.set = parent.set;
  one.in = by.in;
  one.vars = parent.vars;
  one.depth = parent.depth + 1;
  one.as = as;
  if (copy != nullptr) {
    copy(one.data, data);
    one.is_copied = true;
  } else if (room != 0) {
    std::memcpy(one.data, data, room);
  }
  if (as == task::kind::deferred) {
    parent.users.fetch_add(1, std::memory_order_relaxed);
    parent.children.fetch_add(1, std::memory_order_relaxed);
    if (one.set != nullptr) {
      one.set->left.fetch_add(1, std::memory_order_relaxed);
    }
    by.in->tasks_left.fetch_add(1, std::memory_order_relaxed);
  }
  return one;
}

/// Counts the task as ended. Whoever waits for the last one may go on at once, and the set or the parent's function may
/// be gone then. The team stays.
void end_task(task& one, member* by) noexcept {
  team& in = *one.in;
  if (one.is_ordered) end_dependences(one, by);
  // Sequentially consistent for bell; release for what the task has done.
  const bool last_of_set = one.set != nullptr && one.set->left.fetch_sub(1, std::memory_order_seq_cst) == 1;
  const bool last_child = one.parent->children.fetch_sub(1, std::memory_order_seq_cst) == 1;
  const bool last_of_team = in.tasks_left.fetch_sub(1, std::memory_order_seq_cst) == 1;
  if (last_of_set || last_child || last_of_team) {
    in.changes.ring();
  }
  release(&one);
}

void end_part(task& one, member* by) noexcept {
  // Only one that detaches has its parts ended by two threads. Read before: whoever waits for an included one frees it.
  const bool is_deferred = one.as == task::kind::deferred;
  const bool is_last = one.detaches ? one.ends_left.fetch_sub(1, std::memory_order_seq_cst) == 1 : true;
  if (is_last && is_deferred) {
    end_task(one, by);
  }
}

void run_task(member& self, task& one) noexcept {
  task* const around = self.now;
  self.now = &one;
  const bool skipped = !one.is_copied &&
                       ((one.set != nullptr && one.set->drops()) || self.in->cancelled.load(std::memory_order_relaxed));
  if (!skipped) {
    one.function(one.data);
  }
  self.now = around;
  one.table.reset();  // its children may live on: they are awaited, but not by siblings any more
  if (skipped && one.detaches) {
    one.ends_left.store(1, std::memory_order_relaxed);  // nobody will fulfil the event of a task that has not begun
  }
  end_part(one, &self);
}

}  // namespace jackdaw::gomp
