#include "trace/tree_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "jackdaw/error.hpp"

namespace jackdaw::trace {
namespace {

constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse(const std::string& why) { throw error(why); }

void expect(bool holds, const char* what) {
  if (!holds) [[unlikely]] {
    refuse(what);
  }
}

bool is_amount(double amount) { return amount >= 0 && std::isfinite(amount); }
bool is_hint(double amount) { return std::isfinite(amount); }

}  // namespace

tree_builder::tree_builder(task_tree head) : tree_(std::move(head)) {}

void tree_builder::begin_root(std::string label) {
  expect(depth_ == 0, "expected the end of the last root before the next one");
  tree_.roots.push_back({static_cast<std::uint32_t>(tree_.tasks.size()), std::move(label)});
  begin_task();
}

void tree_builder::end_root() {
  expect(depth_ == 1, "expected the end of a child, not of a root");
  close_task();
}

void tree_builder::begin_task() {
  expect(tree_.tasks.size() < most, "expected at most 4294967295 tasks");
  if (depth_ == frames_.size()) {
    frames_.emplace_back();
  }
  frame& made = frames_[depth_++];
  made.task = static_cast<std::uint32_t>(tree_.tasks.size());
  tree_.tasks.emplace_back();
}

void tree_builder::step() {
  expect(depth_ != 0, "expected a root before the first step");
  expect(touched_.empty(), "expected the time of the work that accesses belong to");
  expect(running().ops.size() < most, "expected at most 4294967295 steps of a task");
}

void tree_builder::compute(double ns, bool vector) {
  expect(depth_ != 0, "expected a root before the first step");
  expect(is_amount(ns), "expected a time of at least 0 ns");
  expect(running().ops.size() < most, "expected at most 4294967295 steps of a task");
  expect(tree_.accesses.size() + touched_.size() <= most, "expected at most 4294967295 accesses");
  running().ops.push_back({.what = op::kind::compute,
                           .vector = vector,
                           .first = static_cast<std::uint32_t>(tree_.accesses.size()),
                           .count = static_cast<std::uint32_t>(touched_.size()),
                           .amount = ns});
  tree_.accesses.insert(tree_.accesses.end(), touched_.begin(), touched_.end());
  touched_.clear();
}

std::vector<tree_builder::open>::iterator tree_builder::find(std::uint32_t group, const char* otherwise) {
  auto& groups = running().groups;
  // It is nearly always the last one.
  const auto found =
      std::find_if(groups.rbegin(), groups.rend(), [group](const open& each) { return each.group == group; });
  expect(found != groups.rend(), otherwise);
  return std::next(found).base();
}

std::uint32_t tree_builder::group_opened(std::size_t back) const {
  expect(depth_ != 0, "expected a root before the first step");
  const auto& groups = frames_[depth_ - 1].groups;
  expect(back < groups.size(), "expected an open group of the running task");
  return groups[groups.size() - 1 - back].group;
}

std::uint32_t tree_builder::open_group(double total, bool structured, std::uint32_t site) {
  expect(depth_ != 0, "expected a root before the first group");
  expect(is_hint(total), "expected a finite total");
  expect(tree_.groups.size() < most, "expected at most 4294967295 groups");
  const auto made = static_cast<std::uint32_t>(tree_.groups.size());
  tree_.groups.push_back({total, structured, site});
  running().groups.push_back({made, false});
  return made;
}

void tree_builder::fork(std::uint32_t group, double hint, bool help_first, bool inter) {
  step();
  const auto into = find(group, "expected an open group of the task that forks");
  expect(is_hint(hint), "expected a finite work hint");
  expect(!inter || !tree_.groups[group].structured, "expected the group of a task_group for an inter-socket task");
  into->forked = true;
  running().ops.push_back({.what = op::kind::fork,
                           .help_first = help_first,
                           .inter = inter,
                           .first = static_cast<std::uint32_t>(tree_.tasks.size()),
                           .count = group,
                           .amount = hint});
  begin_task();
}

void tree_builder::wait(std::uint32_t group) {
  step();
  const auto done = find(group, "expected an open group of the task that waits");
  expect(done->forked, "expected a fork into the group before the wait for it");
  running().groups.erase(done);
  running().ops.push_back({.what = op::kind::wait, .count = group});
}

void tree_builder::end_task() {
  expect(depth_ > 1, "expected the end of a root, not of a child");
  close_task();
}

void tree_builder::close_task() {
  step();
  frame& ended = running();
  expect(ended.groups.empty(), "expected a wait for every group before its task ends");
  tree_.tasks[ended.task] = {tree_.ops.size(), static_cast<std::uint32_t>(ended.ops.size())};
  tree_.ops.insert(tree_.ops.end(), ended.ops.begin(), ended.ops.end());
  ended.ops.clear();
  --depth_;
}

task_tree tree_builder::finish() {
  expect(depth_ == 0, "expected the end of the last root");
  return std::exchange(tree_, {});
}

// ---- validate -----------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// What is known of a group while validate() looks at all tasks.
struct seen_group {
  std::uint32_t task = none;
  bool waited = false;
};

class checker {
 public:
  explicit checker(const task_tree& tree) : tree_(tree), groups_(tree.groups.size()), parents_(tree.tasks.size()) {}

  void check() {
    if (tree_.workers == 0 || !(tree_.compute_rate > 0) || !std::isfinite(tree_.compute_rate)) {
      refuse("a task tree needs at least one worker and a compute rate above 0");
    }
    if (!is_amount(tree_.vector_rate)) refuse("a task tree's vector rate is a number of at least 0");
    const double counted = tree_.instructions;
    if (counted != 0 && !(counted >= fewest_instructions && counted <= most_instructions)) {
      refuse("a task tree's instructions are 0 or from 0.001 to 1000");
    }
    for (const root& each : tree_.roots) {
      if (each.task >= parents_.size()) refuse("a root has no task " + std::to_string(each.task));
      adopt(each.task);
    }
    for (std::uint32_t i = 0; i < tree_.tasks.size(); ++i) {
      check_task(i);
    }
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      if (parents_[i] != 1) refuse("task " + std::to_string(i) + " is the child of no fork");
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto fail = [i](const char* why) { refuse("group " + std::to_string(i) + why); };
      if (groups_[i].task == none) fail(" has no children");
      if (!groups_[i].waited) fail(" is not waited for");
      if (tree_.groups[i].site != 0 && tree_.groups[i].site >= tree_.sites.size()) fail(" has no such site");
      if (!is_hint(tree_.groups[i].total)) fail(" has a total that is no number");
    }
    for (const access& each : tree_.accesses) check_access(each);
    check_reach();
  }

 private:
  void adopt(std::uint32_t task) {
    if (++parents_[task] > 1) refuse("task " + std::to_string(task) + " begins twice");
  }

  void check_task(std::uint32_t index) {
    const task& it = tree_.tasks[index];
    const auto fail = [index](const std::string& why) { refuse("task " + std::to_string(index) + why); };
    if (it.first_op > tree_.ops.size() || it.ops > tree_.ops.size() - it.first_op) fail(" has no such steps");
    for (std::uint64_t i = it.first_op; i != it.first_op + it.ops; ++i) {
      const op& step = tree_.ops[i];
      if (step.what == op::kind::compute) {
        if (!is_amount(step.amount)) fail(" computes for a time that is no number >= 0");
        if (step.first > tree_.accesses.size() || step.count > tree_.accesses.size() - step.first) {
          fail(" has no such accesses");
        }
        continue;
      }
      const auto fail_group = [&](const char* before, const char* after) {
        fail(before + (" group " + std::to_string(step.count)) + after);
      };
      if (step.count >= groups_.size()) fail_group(" has no", "");
      seen_group& group = groups_[step.count];
      if (group.task != none && group.task != index) fail_group(" uses", " of another task");
      if (group.waited) fail_group(" uses", " after its wait");
      if (step.what == op::kind::wait) {
        if (group.task == none) fail_group(" waits for", " before it forks into it");
        group.waited = true;
        continue;
      }
      group.task = index;
      if (!is_hint(step.amount)) fail(" has a work hint that is no number");
      if (step.inter && tree_.groups[step.count].structured)
        fail_group(" forks an inter-socket task as a branch of", "");
      if (step.first >= parents_.size()) fail(" has no task " + std::to_string(step.first));
      adopt(step.first);
    }
  }

  static void check_access(const access& each) {
    if (each.rows == 0 || each.length == 0) refuse("an access is empty");
    std::uint64_t last = 0;
    if (__builtin_mul_overflow(std::uint64_t{each.rows - 1}, each.stride, &last) ||
        __builtin_add_overflow(last, each.length, &last) || __builtin_add_overflow(last, each.address, &last)) {
      refuse("an access ends above the highest address");
    }
  }

  /// A task with exactly one parent can still be its own ancestor.
  void check_reach() const {
    std::vector<std::uint32_t> todo;
    todo.reserve(tree_.roots.size());
    for (const root& each : tree_.roots) todo.push_back(each.task);
    std::size_t reached = 0;
    while (!todo.empty()) {
      const task& it = tree_.tasks[todo.back()];
      todo.pop_back();
      ++reached;
      for (std::uint64_t i = it.first_op; i != it.first_op + it.ops; ++i) {
        if (tree_.ops[i].what == op::kind::fork) todo.push_back(tree_.ops[i].first);
      }
    }
    if (reached != tree_.tasks.size()) refuse("a task is its own ancestor");
  }

  const task_tree& tree_;
  std::vector<seen_group> groups_;
  std::vector<std::uint8_t> parents_;  // of each task: how many
};

}  // namespace

void validate(const task_tree& tree) { checker(tree).check(); }

}  // namespace jackdaw::trace
