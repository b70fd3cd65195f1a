// The compiler's calls for tasks.
#include <algorithm>
#include <cstdlib>

#include "gomp/depend_table.hpp"
#include "gomp/fail.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {
namespace {

enum : unsigned { is_final = 2, depends = 8, detaches = 8192 };

/// Beyond so many tasks of a team in queues, per member, new ones run at once.
constexpr std::uint64_t most_queued = 64;

}  // namespace

bool runs_at_once(const member& self, bool deferrable, unsigned flags) noexcept {
  const team& in = *self.in;
  if (!deferrable || self.now->final || in.opener == nullptr) return true;
  if ((flags & (depends | detaches)) != 0) return false;
  if (in.size == 1) return true;
  const std::uint64_t taken = in.taken.load(std::memory_order_relaxed);
  return in.offered.load(std::memory_order_relaxed) - taken > most_queued * in.size;
}

void run_included(member& self, task& one) noexcept {
  run_task(self, one);
  if (one.detaches) {
    wait_in_task(self, [&one] { return one.ends_left.load(std::memory_order_seq_cst) == 0; });
  }
  // Its children use it, and if they outlive it, it uses its parent. Acquire: they have done so for the last time.
  if (one.users.load(std::memory_order_acquire) != 1) {
    one.parent->users.fetch_add(1, std::memory_order_relaxed);
    release(&one);
    return;
  }
  one.~task();
  std::free(&one);
}

bool drops_tasks(const member& self) noexcept {
  const task_set* const set = self.now->set;
  return self.in->cancelled.load(std::memory_order_relaxed) || (set != nullptr && set->drops());
}

}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long size, long alignment,
               bool deferrable, unsigned flags, void** depend, int /*priority*/, void* event) {
  member& self = here();
  if (drops_tasks(self)) return;
  const bool at_once = runs_at_once(self, deferrable, flags);
  if (at_once && (flags & depends) != 0) {
    wait_for_dependences(self, depend);
  }
  task& one =
      make_task(self, at_once ? task::kind::included : task::kind::deferred, function, data, copy, size, alignment);
  one.final = (flags & is_final) != 0 || self.now->final;
  if ((flags & detaches) != 0) {
    one.detaches = true;
    one.ends_left.store(2, std::memory_order_relaxed);
    // The program's variable, and the task's copy of it, which is the first in its argument.
    *static_cast<void**>(event) = &one;
    if (one.data != nullptr) *static_cast<void**>(one.data) = &one;
  }
  if (at_once) {
    run_included(self, one);
  } else if ((flags & depends) != 0) {
    depend_on(self, one, depend);
  } else {
    offer(&self, one);
  }
}

void GOMP_taskwait() {
  member& self = here();
  task& now = *self.now;
  if (now.children.load(std::memory_order_acquire) != 0) {
    // Sequentially consistent, so acquire: what the children have done.
    wait_in_task(self, [&now] { return now.children.load(std::memory_order_seq_cst) == 0; });
  }
  now.table.reset();
}

void GOMP_taskwait_depend(void** depend) { wait_for_dependences(here(), depend); }

void GOMP_taskyield() {
  member& self = here();
  if (task* const found = find_task(self, self.now)) run_task(self, *found);
}

void omp_fulfill_event(void* event) {
  task& one = *static_cast<task*>(event);
  team& in = *one.in;
  end_part(one, nullptr);
  in.changes.ring();  // for one that was included
}

void omp_fulfill_event_(void** event) { omp_fulfill_event(*event); }
}
