#include "analysis/tiers.hpp"

#include <algorithm>
#include <utility>

namespace jackdaw::analysis {

using trace::op;
using trace::task;
using trace::task_tree;

namespace {

/// The time from a task's beginning to an end in it: once with a worker for every child, once with a squad for each
/// subtree.
struct ends {
  double any = 0, squad = 0;

  void at_least(const ends& other) {
    any = std::max(any, other.any);
    squad = std::max(squad, other.squad);
  }
  void add(double time) {
    any += time;
    squad += time;
  }
};

class splitter {
 public:
  splitter(const task_tree& tree, const std::vector<place>& places, unsigned squad, const charges& cost)
      : tree_(tree), places_(places), squad_(squad), cost_(cost) {}

  tiers over(const task& of) {
    enter(of, place::inside);
    while (!running_.empty()) {
      frame& top = running_.back();
      if (top.next == top.last) {
        leave();
      } else {
        step(top, top.next++);
      }
    }
    return sum_;
  }

 private:
  struct open {
    std::uint32_t group;
    ends last;                  // of its children
    std::uint64_t pending = 0;  // help-first children; one worker begins them when it waits, newest first
  };
  struct frame {
    std::uint64_t next, last;
    place where;
    ends now{};
    double work_before = 0;  // of all tops' subtrees, when it began
    bool forks = false, pools = false;
    std::uint32_t forked_into = 0;
    bool helped = false;  // it forked into that group help-first
    std::vector<open> groups;
  };

  void enter(const task& of, place where) {
    ++sum_.tasks;
    running_.push_back({.next = of.first_op, .last = of.first_op + of.ops, .where = where, .groups = {}});
    running_.back().work_before = sum_.local_work;
    sum_.frames = std::max(sum_.frames, ++alive_);
  }

  // A compute step's or the runtime's.
  void spend(frame& top, double work) {
    sum_.work += work;
    (below_ ? sum_.local_work : sum_.free_work) += work;
    top.now.add(work + cost_.step_delay);
  }

  void step(frame& top, std::uint64_t at) {
    const op& it = tree_.ops[at];
    switch (it.what) {
      case op::kind::compute:
        return spend(top, cost_.took != nullptr ? (*cost_.took)[at] : it.amount * cost_.scale[it.vector ? 1 : 0]);
      case op::kind::fork: {
        spend(top, cost_.step_work);
        top.forks = true;
        top.forked_into = it.count;
        top.helped = it.help_first;
        const place where = places_.empty() || below_ ? place::inside : places_[it.first];
        top.pools = top.pools || where != place::inside;
        below_ = below_ || where == place::top;
        return enter(tree_.tasks[it.first], where);
      }
      case op::kind::wait:
        if (const auto found = find(top, it.count); found != top.groups.end()) {
          top.now.at_least(found->last);
          alive_ -= found->pending;
          top.groups.erase(found);
        }
        return spend(top, cost_.step_work);
    }
  }

  void leave() {
    const frame ended = std::move(running_.back());
    running_.pop_back();
    --alive_;
    sum_.leaves += ended.forks ? 0 : 1;
    ends took = ended.now;
    if (ended.where == place::top) {
      ++sum_.tops;
      sum_.subtree_critical_paths += took.any;
      took.squad = (sum_.local_work - ended.work_before) / squad_ + took.any;
      below_ = false;
    }
    sum_.pooled += ended.where == place::top || (ended.where == place::pooled && !ended.pools) ? 1 : 0;
    if (running_.empty()) {
      sum_.critical_path = took.any;
      sum_.squad_critical_path = took.squad;
      return;
    }
    frame& parent = running_.back();
    took.any += parent.now.any;
    took.squad += parent.now.squad;
    auto found = find(parent, parent.forked_into);
    if (found == parent.groups.end()) found = parent.groups.insert(found, {.group = parent.forked_into, .last = {}});
    found->last.at_least(took);
    if (parent.helped) {
      ++alive_;
      ++found->pending;
    }
  }

  static std::vector<open>::iterator find(frame& of, std::uint32_t group) {
    return std::find_if(of.groups.begin(), of.groups.end(), [&](const open& each) { return each.group == group; });
  }

  const task_tree& tree_;
  const std::vector<place>& places_;
  const double squad_;
  const charges& cost_;
  std::vector<frame> running_;
  std::uint64_t alive_ = 0;
  bool below_ = false;  // a top
  tiers sum_;
};

}  // namespace

std::vector<place> places_at(const task_tree& tree, const task& of, unsigned level) {
  std::vector<place> found(tree.tasks.size(), place::inside);
  std::vector<std::pair<const task*, unsigned>> left{{&of, 2}};
  while (!left.empty()) {
    const auto [next, below] = left.back();
    left.pop_back();
    if (below > level) continue;
    for (std::uint64_t i = next->first_op; i < next->first_op + next->ops; ++i) {
      if (tree.ops[i].what != op::kind::fork) continue;
      found[tree.ops[i].first] = below == level ? place::top : place::pooled;
      left.emplace_back(&tree.tasks[tree.ops[i].first], below + 1);
    }
  }
  return found;
}

tiers split(const task_tree& tree, const task& of, const std::vector<place>& places, unsigned squad,
            const charges& cost) {
  return splitter(tree, places, squad, cost).over(of);
}

tiers& tiers::operator+=(const tiers& next) {
  work += next.work;
  critical_path += next.critical_path;
  free_work += next.free_work;
  local_work += next.local_work;
  subtree_critical_paths += next.subtree_critical_paths;
  squad_critical_path += next.squad_critical_path;
  tops += next.tops;
  pooled = std::max(pooled, next.pooled);
  tasks += next.tasks;
  leaves += next.leaves;
  frames = std::max(frames, next.frames);
  return *this;
}

}  // namespace jackdaw::analysis
