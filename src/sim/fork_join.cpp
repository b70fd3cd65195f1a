#include "sim/fork_join.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/simulated.hpp"

namespace jackdaw::sim {
namespace {

using kind = trace::op::kind;

}  // namespace

// ---- frames and groups --------------------------------------------------------------------------------------------

frame& fork_join::make(std::uint32_t task, group_run* member_of, std::uint32_t index) {
  frame& made = frames_.take();
  most_frames_ = std::max(most_frames_, frames_.in_use());
  made.of = &tree_.tasks[task];
  made.next = 0;
  made.index = index;
  made.base = made.caller = nullptr;
  made.member_of = member_of;
  made.invoking = nullptr;
  made.detached = made.begun = made.searching = false;
  return made;
}

frame& fork_join::make_base(std::uint32_t task, group_run* member_of, std::uint32_t index) {
  frame& made = make(task, member_of, index);
  made.base = &made;
  return made;
}

frame& fork_join::make_root(const trace::root& root) {
  root_ = &root;
  frame& made = make_base(root.task, nullptr, 0);
  made.upper = std::make_unique<sched::upper_task>();
  return made;
}

group_run* fork_join::find(const frame& owner, std::uint32_t id) noexcept {
  for (group_run* const each : owner.open) {
    if (each->id == id) return each;
  }
  return nullptr;
}

group_run& fork_join::open(frame& owner, std::uint32_t id) {
  group_run& made = groups_.take();
  made.of = &tree_.groups[id];
  made.id = id;
  made.owner = &owner;
  made.pending = 0;
  made.waiting = false;
  made.branches.clear();
  made.current = 0;
  made.awaited = group_run::none;
  if (owner.member_of == nullptr && owner.open.empty()) {
    most_frames_ = frames_.in_use();
    home_.told_->group_opens(*made.of, home_.now_);
  }
  owner.open.push_back(&made);
  return made;
}

void fork_join::close(group_run& group) {
  frame& owner = *group.owner;
  owner.open.erase(std::find(owner.open.begin(), owner.open.end(), &group));
  if (owner.member_of == nullptr && owner.open.empty()) home_.told_->group_closes(*group.of, home_.now_);
  groups_.give(group);
}

// ---- one step -----------------------------------------------------------------------------------------------------

void fork_join::advance(worker& self) {
  frame& current = *self.current;
  if (current.invoking != nullptr) return go_on_with_invoke(self, current);
  if (current.next == current.of->ops) return end(self, current);
  const trace::op& step = tree_.ops[current.of->first_op + current.next];
  switch (step.what) {
    case kind::compute:
      ++current.next;
      return home_.begin_leaf(self, step);
    case kind::fork:
      return fork(self, current, step);
    case kind::wait:
      return wait(self, current, step);
  }
}

frame& fork_join::claim(const entry& taken) {
  switch (taken.what) {
    case entry::kind::rest:
      if (taken.child != nullptr) {
        // The child continues without its parent.
        taken.child->detached = true;
        ++taken.child->member_of->pending;
      }
      return *taken.who;
    case entry::kind::branch: {
      taken.group->branches[taken.index] = group_run::branch::taken;
      const trace::op& fork = tree_.ops[taken.group->first_fork + taken.index];
      return make_base(fork.first, taken.group, taken.index);
    }
    case entry::kind::child:
      break;
  }
  return *taken.who;
}

void fork_join::expose(worker& self, frame& rest) { self.deque().push_back({.who = &rest}); }

/// Called after a push: a task of the upper tier that has arrived runs first. The rest of this one can be taken
/// meanwhile.
void fork_join::attend(worker& self) {
  home_.notice(self.id);
  if (self.mailbox) {
    expose(self, *self.current);
    self.current = nullptr;
    self.spent += home_.machine_.cost.suspend;
  }
}

/// Frees the worker for other tasks. If the fiber is a work-first child, its parent must be able to continue alone.
void fork_join::suspend(worker& self, frame& left) const {
  ++self.counts.suspensions;
  self.spent += home_.machine_.cost.suspend;
  frame& base = *left.base;
  if (base.member_of != nullptr && !base.detached && base.member_of->branches.empty()) {
    entries& deque = self.deque();
    const auto parent = std::find_if(deque.rbegin(), deque.rend(), [&](const entry& e) { return e.child == &base; });
    if (parent == deque.rend()) throw std::logic_error("simulation: a child is joined to a parent that is not exposed");
    parent->child = nullptr;
    base.detached = true;
    ++base.member_of->pending;
  }
  self.current = nullptr;
}

// ---- forks --------------------------------------------------------------------------------------------------------

void fork_join::fork(worker& self, frame& parent, const trace::op& step) {
  ++self.counts.forks;
  group_run* group = find(parent, step.count);
  if (group == nullptr) {
    group = &open(parent, step.count);
    if (!parent.base->searching && group->of->structured && begin_invoke(self, parent, step)) return;
  }
  const bool from_below = step.inter && group->upper && home_.scheduler_.places_below(*group->upper);
  if (parent.base->searching || from_below) return place_child(self, parent, *group, step);
  ++parent.next;
  self.spent += home_.machine_.cost.spawn;
  frame& child = make_base(step.first, group, 0);
  if (step.help_first) {
    child.detached = true;
    ++group->pending;
    self.deque().push_back({.what = entry::kind::child, .who = &child});
  } else {
    self.deque().push_back({.who = &parent, .child = &child});
    self.current = &child;
  }
  attend(self);
}

void fork_join::place_child(worker& self, frame& parent, group_run& group, const trace::op& step) {
  frame& base = *parent.base;
  sched::upper_task& task = *base.upper;
  if (!group.upper) {
    group.upper = std::make_unique<sched::upper_group>(task, task.group, task.rest(), group.of->total, group.of->site);
    task.group = group.upper.get();
    home_.scheduler_.open(self.id, *group.upper);
  }
  const sched::span part = group.upper->cut_part(home_.scheduler_.part_for(self.id, *group.upper, step.amount));
  frame& child = make_base(step.first, &group, group.upper->children);
  child.upper = std::make_unique<sched::upper_task>(task, part, group.upper->children++);
  child.upper->inter = step.inter;
  const sched::destination where = home_.scheduler_.fork(self.id, *group.upper, *child.upper);
  home_.told_->child_placed(step.first, *child.upper, where);
  child.searching = where.as == sched::tier::upper;
  child.detached = true;
  ++group.pending;
  ++parent.next;
  const machine_model::costs& cost = home_.machine_.cost;
  if (where.where != sched::destination::how::here) {
    ++self.counts.migrations;
    self.spent += cost.place;
    home_.place(where, child);
    return;
  }
  // The same work, but nothing is sent to another worker.
  self.spent += std::max(cost.spawn, cost.place - 2 * cost.look_remote);
  // Work-first: the child starts here. The rest of the parent is no longer a search, so it can be stolen.
  base.searching = false;
  expose(self, parent);
  home_.notice(self.id);
  self.current = nullptr;
  self.follows = &child;
}

/// Exposes all branches but the first. False if there is an op between the forks: then the group is no invoke.
bool fork_join::begin_invoke(worker& self, frame& parent, const trace::op& step) {
  group_run& group = *parent.open.back();
  const std::uint32_t ops = parent.of->ops;
  std::uint32_t last = parent.next;
  const auto at = [&](std::uint32_t i) -> const trace::op& { return tree_.ops[parent.of->first_op + i]; };
  while (last < ops && at(last).what == kind::fork && at(last).count == step.count) ++last;
  if (last == ops || at(last).what != kind::wait || at(last).count != step.count) return false;
  const std::uint32_t count = last - parent.next;
  group.first_fork = parent.of->first_op + parent.next;
  group.branches.assign(count, group_run::branch::exposed);
  for (std::uint32_t i = count - 1; i > 0; --i) {
    self.deque().push_back({.what = entry::kind::branch, .group = &group, .index = i});
  }
  self.counts.forks += count - 1;
  self.spent += home_.machine_.cost.spawn * (count - 1);
  parent.next = last + 1;
  parent.invoking = &group;
  attend(self);
  return true;
}

void fork_join::go_on_with_invoke(worker& self, frame& parent) {
  group_run& group = *parent.invoking;
  using branch = group_run::branch;
  for (; group.current < group.branches.size(); ++group.current) {
    const std::uint32_t at = group.current;
    if (at == 0) return run_branch(self, parent, group);
    if (group.branches[at] == branch::ended) continue;
    entries& deque = self.deque();
    if (!deque.empty() && deque.back().group == &group && deque.back().index == at) {
      deque.pop_back();
      self.spent += home_.machine_.cost.join;
      return run_branch(self, parent, group);
    }
    group.awaited = at;
    return suspend(self, parent);
  }
  parent.invoking = nullptr;
  group.branches.clear();
  close(group);
}

void fork_join::run_branch(worker& self, frame& parent, group_run& group) {
  const std::uint32_t at = group.current++;
  group.branches[at] = group_run::branch::taken;
  frame& child = make(tree_.ops[group.first_fork + at].first, &group, at);
  child.base = parent.base;
  child.caller = &parent;
  self.current = &child;
}

// ---- waits and ends -----------------------------------------------------------------------------------------------

void fork_join::wait(worker& self, frame& waiter, const trace::op& step) {
  group_run* const group = find(waiter, step.count);
  if (group == nullptr) {
    ++waiter.next;  // nothing was forked
    return;
  }
  if (group->upper) {
    ++waiter.next;
    home_.scheduler_.wait(self.id, *group->upper, waiter.base->searching ? sched::tier::upper : sched::tier::lower);
    suspend(self, waiter);
    group->waiting = true;
    if (group->pending == 0) resume_waiter(self, *group);
    return;
  }
  // Help-first children that have not been taken run here, newest first.
  entries& deque = self.deque();
  if (!deque.empty() && deque.back().what == entry::kind::child && deque.back().who->member_of == group) {
    frame& child = *deque.back().who;
    deque.pop_back();
    child.base = waiter.base;
    child.caller = &waiter;
    self.current = &child;
    self.spent += home_.machine_.cost.join;
    return;
  }
  ++waiter.next;
  if (group->pending == 0) {
    close(*group);
    return;
  }
  suspend(self, waiter);
  group->waiting = true;
}

/// Resumes the waiting owner of a group whose children have all ended, or places it where the scheduler says.
void fork_join::resume_waiter(worker& self, group_run& group) {
  frame& waiter = *group.owner;
  if (!group.upper) {
    close(group);
    self.current = &waiter;
    return;
  }
  const sched::destination where = home_.scheduler_.close(self.id, *group.upper);
  group.upper->task.leave(*group.upper);
  group.upper.reset();
  close(group);
  waiter.base->searching = where.as == sched::tier::upper;
  if (where.where == sched::destination::how::here) {
    home_.enter(self, waiter);
    return;
  }
  ++self.counts.migrations;
  self.spent += home_.machine_.cost.place;
  home_.place(where, waiter);
}

void fork_join::end(worker& self, frame& ended) {
  ++ended_;
  self.current = nullptr;
  if (ended.upper) {
    home_.scheduler_.end(self.id, *ended.upper);
    ended.upper.reset();
  }
  group_run* const group = ended.member_of;
  frame* const caller = ended.caller;
  const bool detached = ended.detached;
  const std::uint32_t index = ended.index;
  frames_.give(ended);
  if (group == nullptr) {
    home_.told_->root_ends(*root_, home_.now_);
    root_ = nullptr;
  } else if (!group->branches.empty()) {
    group->branches[index] = group_run::branch::ended;
    if (caller != nullptr) {
      self.current = caller;
    } else if (group->awaited == index) {
      group->awaited = group_run::none;
      self.spent += home_.machine_.cost.suspend;
      self.current = group->owner;
    }
  } else if (caller != nullptr) {
    --group->pending;
    self.current = caller;
  } else if (!detached) {
    // The parent was not taken.
    entries& deque = self.deque();
    if (deque.empty() || deque.back().child != &ended) {
      throw std::logic_error("simulation: a child ended and its parent is not the newest of the deque");
    }
    self.current = deque.back().who;
    deque.pop_back();
    self.spent += home_.machine_.cost.join;
  } else if (--group->pending == 0 && group->waiting) {
    self.spent += home_.machine_.cost.suspend;
    resume_waiter(self, *group);
  }
}

}  // namespace jackdaw::sim
