// Regions: opening, taking part, closing.
#include <sched.h>

#include <algorithm>
#include <utility>

#include "gomp/depend_table.hpp"
#include "gomp/loop.hpp"
#include "gomp/places.hpp"
#include "gomp/pool.hpp"
#include "gomp/region.hpp"
#include "gomp/settings.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {
namespace {

/// Once for each thread.
void show_affinity_once(const member& self) {
  thread_local bool shown = false;
  if (!shown && settings::of_process().shows_affinity) {
    shown = true;
    show_affinity(self);
  }
}

}  // namespace

team& choose_team(void (*function)(void*), void* data, unsigned threads, task_set* set) {
  member& self = here();
  const settings& process = settings::of_process();
  const control& vars = self.now->vars;
  const team& around = *self.in;
  const unsigned n = process.team_size(threads, vars, around.active_level);
  team& in = pool::of_this_thread().open(n);
  in.begin(n, &self, function, data);
  in.set = set;
  in.level = around.level + 1;
  in.active_level = around.active_level + (n > 1 ? 1 : 0);
  in.vars = vars;
  if (in.level < process.threads.size()) in.vars.threads = process.threads[in.level];
  return in;
}

void call_members(team& in, unsigned flags) {
  const unsigned n = in.size;
  member& first = in.members[0];
  first.begin(in);
  place_members(*in.opener, in, flags & 7u);
  if (n > 1) {
    threads_awake.fetch_add(static_cast<int>(n) - 1 + (in.level == 1 ? 1 : 0), std::memory_order_relaxed);
    pool& mine = pool::of_this_thread();
    for (unsigned i = 1; i < n; ++i) {
      carrier& on = mine.carries(i);
      on.bind(in.members[i].place);
      on.call(in.members[i]);
    }
  }
  current_member = &first;
  show_affinity_once(first);
}

void close_region() noexcept {
  member& first = here();
  team& in = *first.in;
  wait_at(in.end, first);
  while (in.helpers.load(std::memory_order_seq_cst) != 0) sched_yield();
  first.implicit.table.reset();
  in.rewind_shares(first.at);
  if (in.size > 1) {
    threads_awake.fetch_sub(static_cast<int>(in.size) - 1 + (in.level == 1 ? 1 : 0), std::memory_order_relaxed);
  }
  current_member = in.opener;
  pool::of_this_thread().close();
}

void call_outside(void (*function)(void*), void* data, unsigned limit) noexcept {
  member& around = here();
  pool& mine = pool::of_this_thread();
  team& in = mine.open(1);
  member& self = in.begin_outside();
  self.place = around.place;
  if (limit != 0) self.implicit.vars.thread_limit = limit;
  const teams_place teams = std::exchange(host_teams, {});
  current_member = &self;
  function(data);
  host_teams = teams;
  self.implicit.table.reset();
  in.rewind_shares(self.at);
  current_member = &around;
  mine.close();
}

void take_part(member& self) noexcept {
  team& in = *self.in;
  self.begin(in);
  current_member = &self;
  host_teams = in.teams;
  show_affinity_once(self);
  in.function(in.data);
  self.implicit.table.reset();
  wait_at(in.end, self);
  current_member = nullptr;
}

}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
  open_region(function, data, threads, flags, nullptr, [](unsigned) {});
  function(data);
  close_region();
}

void GOMP_parallel_start(void (*function)(void*), void* data, unsigned threads) {
  open_region(function, data, threads, 0, nullptr, [](unsigned) {});
}

void GOMP_parallel_end() { close_region(); }

void GOMP_barrier() {
  member& self = here();
  wait_at(self.in->meet, self);
}

bool GOMP_barrier_cancel() {
  member& self = here();
  return wait_at(self.in->meet, self, true);
}

bool GOMP_cancellation_point(int which) {
  if (!settings::of_process().cancellation) return false;
  const member& self = here();
  const team& in = *self.in;
  if ((which & (cancels_loop | cancels_sections)) != 0) {
    return in.share_cancelled.load(std::memory_order_relaxed) || in.cancelled.load(std::memory_order_relaxed);
  }
  if ((which & cancels_taskgroup) != 0) {
    const task_set* const set = self.now->set;
    if (set != nullptr && (set->cancelled.load(std::memory_order_relaxed) ||
                           (set->of_share && set->around != nullptr && set->around->cancelled.load()))) {
      return true;
    }
  }
  return in.cancelled.load(std::memory_order_relaxed);
}

bool GOMP_cancel(int which, bool cancels) {
  if (!settings::of_process().cancellation) return false;
  if (!cancels) return GOMP_cancellation_point(which);
  const member& self = here();
  team& in = *self.in;
  if ((which & (cancels_loop | cancels_sections)) != 0) {
    in.share_cancelled.store(true, std::memory_order_relaxed);
  } else if ((which & cancels_taskgroup) != 0) {
    task_set* set = self.now->set;
    if (set != nullptr && set->of_share) set = set->around;
    if (set != nullptr) set->cancelled.store(true, std::memory_order_relaxed);
  } else {
    in.cancelled.store(true, std::memory_order_seq_cst);
    in.changes.ring();
  }
  return true;
}
}
