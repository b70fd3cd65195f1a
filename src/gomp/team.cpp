#include "gomp/team.hpp"

#include <cstdlib>
#include <utility>
#include "gomp/fail.hpp"

#include "gomp/depend_table.hpp"
#include "gomp/doacross.hpp"
#include "gomp/pool.hpp"
#include "gomp/settings.hpp"
#include "gomp/tasks.hpp"

namespace jackdaw::gomp {

constinit thread_local member* current_member = nullptr;

void share::clear() noexcept {
  count = 0;
  given = nullptr;
  std::free(std::exchange(memory, nullptr));
  reductions = nullptr;
  delete std::exchange(order, nullptr);
  taken.store(0, std::memory_order_relaxed);
  ordered.store(0, std::memory_order_relaxed);
  furnished.store(false, std::memory_order_relaxed);
  next.store(nullptr, std::memory_order_relaxed);
  left.store(0, std::memory_order_relaxed);
}

team::team(unsigned most) : most(most), members(std::make_unique<member[]>(most)) {
  root = take_share();
  for (unsigned i = 0; i < most; ++i) {
    member& each = members[i];
    each.in = this;
    each.id = i;
    each.implicit.in = this;
  }
}

share* team::take_share() noexcept {
  const holding hold(shares_lock_);
  if (share* const found = shares_) {
    shares_ = found->link;
    return found;
  }
  auto* const made = new share;
  made->made_before = all_shares_;
  all_shares_ = made;
  return made;
}

void team::give_share(share* one) noexcept {
  const holding hold(shares_lock_);
  one->link = shares_;
  shares_ = one;
}

void team::rewind_shares(share* last) noexcept {
  if (!cancelled.load(std::memory_order_relaxed)) {
    last->clear();
    root = last;
    return;
  }
  shares_ = nullptr;
  for (share* each = all_shares_; each != nullptr; each = each->made_before) {
    each->clear();
    give_share(each);
  }
  root = take_share();
}

void team::begin(unsigned n, member* by, void (*body)(void*), void* argument) noexcept {
  size = n;
  opener = by;
  function = body;
  data = argument;
  set = nullptr;
  teams = host_teams;
  // Relaxed: members see this by way of the call that brings them here.
  meet.arrived.store(0, std::memory_order_relaxed);
  end.arrived.store(0, std::memory_order_relaxed);
  cancelled.store(false, std::memory_order_relaxed);
  share_cancelled.store(false, std::memory_order_relaxed);
  singles.store(0, std::memory_order_relaxed);
}

member& team::begin_outside() noexcept {
  begin(1, nullptr, nullptr, nullptr);
  level = active_level = 0;
  vars = settings::of_process().initial;
  members[0].place = -1;
  members[0].begin(*this);
  return members[0];
}

void member::begin(team& of) noexcept {
  implicit.vars = of.vars;
  implicit.set = of.set;
  implicit.children.store(0, std::memory_order_relaxed);
  now = &implicit;
  at = of.root;
  singles = 0;
  trips = from = to = 0;
  orders = false;
}

member& first_time_here() noexcept {
  current_member = &pool::of_this_thread().alone().begin_outside();
  return *current_member;
}

namespace {

/// Runs tasks until none is left.
void finish_tasks(team& in, member& self) noexcept {
  while (in.tasks_left.load(std::memory_order_seq_cst) != 0) {
    if (task* const found = find_task(self, nullptr)) {
      run_task(self, *found);
    } else {
      in.changes.wait([&in] { return in.has_queued() || in.tasks_left.load(std::memory_order_seq_cst) == 0; });
    }
  }
}

}  // namespace

bool wait_at(barrier& at, member& self, bool can_be_cancelled) noexcept {
  team& in = *self.in;
  const auto is_cancelled = [&] { return can_be_cancelled && in.cancelled.load(std::memory_order_seq_cst); };
  if (is_cancelled()) {
    return true;
  }
  const std::uint32_t phase = at.phase.load(std::memory_order_relaxed);  // it changes when this member has arrived
  const unsigned n = in.size;                                            // of this region
  // Release: what this member has done; acquire, for the last one: what all have.
  if (at.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == n) {
    finish_tasks(in, self);
    in.share_cancelled.store(false, std::memory_order_relaxed);
    at.arrived.store(0, std::memory_order_relaxed);
    // Release: everything before the barrier. Sequentially consistent for the bell.
    at.phase.store(phase + 1, std::memory_order_seq_cst);
    in.changes.ring();
    return is_cancelled();
  }
  const auto is_over = [&] { return at.phase.load(std::memory_order_seq_cst) != phase; };
  while (!is_over() && !is_cancelled()) {
    if (!in.has_queued()) {
      in.changes.wait([&] { return is_over() || is_cancelled() || in.has_queued(); });
      continue;
    }
    // What is queued now may be the next region's. Sequentially consistent: either this sees that the phase is over, or
    // who closes the region sees the helper.
    in.helpers.fetch_add(1, std::memory_order_seq_cst);
    task* const found = is_over() ? nullptr : find_task(self, nullptr);
    in.helpers.fetch_sub(1, std::memory_order_release);
    if (found != nullptr) run_task(self, *found);
  }
  return is_cancelled();
}

}  // namespace jackdaw::gomp
