#include "trace/tree_summary.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace jackdaw::trace {
namespace {

class walk {
 public:
  explicit walk(const task_tree& tree) : tree_(tree) {}

  void over(const root& part) {
    enter(part.task);
    double critical_path = 0;
    while (!running_.empty()) {
      frame& top = running_.back();
      if (top.next != top.last) {
        step(top, tree_.ops[top.next++]);
        continue;
      }
      sum_.leaves += top.forks ? 0 : 1;
      critical_path = top.now;
      running_.pop_back();
      if (!running_.empty()) end_child(running_.back(), critical_path);
    }
    sum_.critical_path += critical_path;
  }

  const tree_summary& sum() const { return sum_; }

 private:
  struct frame {
    std::uint64_t next, last;
    double now = 0;  // since the task began, with a worker for every child
    bool forks = false;
    std::uint32_t forked_into = 0;
    std::vector<std::pair<std::uint32_t, double>> groups;  // each with the time at which its last child ends
  };

  void enter(std::uint32_t index) {
    ++sum_.tasks;
    const task& it = tree_.tasks[index];
    frame made;
    made.next = it.first_op;
    made.last = it.first_op + it.ops;
    running_.push_back(std::move(made));
  }

  void step(frame& top, const op& it) {
    switch (it.what) {
      case op::kind::compute:
        top.now += it.amount;
        sum_.work += it.amount;
        for (std::uint32_t i = 0; i < it.count; ++i) touch(tree_.accesses[it.first + i]);
        break;
      case op::kind::fork:
        ++sum_.forks;
        top.forks = true;
        top.forked_into = it.count;
        enter(it.first);
        break;
      case op::kind::wait:
        if (const auto at = find(top, it.count); at != top.groups.end()) {
          top.now = std::max(top.now, at->second);
          top.groups.erase(at);
        }
        break;
    }
  }

  static void end_child(frame& parent, double critical_path) {
    const double end = parent.now + critical_path;
    if (const auto at = find(parent, parent.forked_into); at != parent.groups.end()) {
      at->second = std::max(at->second, end);
    } else {
      parent.groups.emplace_back(parent.forked_into, end);
    }
  }

  static std::vector<std::pair<std::uint32_t, double>>::iterator find(frame& of, std::uint32_t group) {
    return std::find_if(of.groups.begin(), of.groups.end(), [&](const auto& each) { return each.first == group; });
  }

  void touch(const access& it) {
    ++sum_.accesses;
    (it.write ? sum_.bytes_written : sum_.bytes_read) += it.length * it.rows;
  }

  const task_tree& tree_;
  tree_summary sum_;
  std::vector<frame> running_;
};

}  // namespace

tree_summary summarise(const task_tree& tree) {
  walk all(tree);
  for (const root& each : tree.roots) all.over(each);
  return all.sum();
}

tree_summary summarise(const task_tree& tree, const root& part) {
  walk one(tree);
  one.over(part);
  return one.sum();
}

}  // namespace jackdaw::trace
