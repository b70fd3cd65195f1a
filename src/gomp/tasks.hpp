#pragma once

#include "gomp/team.hpp"

namespace jackdaw::gomp {

/// Takes a task that waits in the team and may run here: any one, or one that descends from `of`. Null: there is none.
task* find_task(member& self, const task* of) noexcept;

/// Runs a task that has been taken out of a queue, or is to run at once.
void run_task(member& self, task& one) noexcept;

/// Runs tasks that descend from the member's task until `done`, which loads sequentially consistently.
template <class Done>
void wait_in_task(member& self, const Done& done) noexcept;

/// Lets whoever is free run the task. `by`: the member that has made it, or has run what it waited for; null: an event
/// has made it ready, at any time, and perhaps on a thread of no team.
void offer(member* by, task& one) noexcept;

/// Makes a task with a copy of its argument. A deferred one is counted by whatever waits for it. An included one is
/// not: who makes it runs it to its end.
task& make_task(member& by, task::kind as, void (*function)(void*), void* data, void (*copy)(void*, void*), long size,
                long alignment);

/// Whether a new task runs at once instead of being offered. `flags`: GOMP_task's.
bool runs_at_once(const member& self, bool deferrable, unsigned flags) noexcept;
/// Runs an included task, and waits for its event if it has one. Its children may live on.
void run_included(member& self, task& one) noexcept;
/// Whether the tasks that are made here are to be dropped.
bool drops_tasks(const member& self) noexcept;

/// The task's function has ended, or its event has been fulfilled; with the last of these the task ends.
void end_part(task& one, member* by) noexcept;

// depend.cpp: `depend` is the array that the compiler passes.
void depend_on(member& self, task& one, void** depend);
void wait_for_dependences(member& self, void** depend) noexcept;
/// Says that a task with dependences has ended, and offers those that waited for it.
void end_dependences(task& one, member* by) noexcept;

template <class Done>
void wait_in_task(member& self, const Done& done) noexcept {
  team& in = *self.in;
  const task& now = *self.now;
  while (!done()) {
    // Before it looks: a task that is offered afterwards is a reason to look again.
    const std::uint64_t offered = in.offered.load(std::memory_order_seq_cst);
    if (task* const found = find_task(self, &now)) {
      run_task(self, *found);
      continue;
    }
    in.wait_choosily([&] { return done() || in.offered.load(std::memory_order_seq_cst) != offered; });
  }
}

}  // namespace jackdaw::gomp
