#include "analysis/phases.hpp"

#include <map>
#include <set>
#include <utility>

namespace jackdaw::analysis {

using trace::op;
using trace::root;
using trace::task;
using trace::task_tree;

std::vector<phase> phases_of(const task_tree& tree, const root& of) {
  std::vector<phase> found;
  std::set<std::uint32_t> open;
  const task& whole = tree.tasks[of.task];
  for (std::uint64_t i = whole.first_op; i < whole.first_op + whole.ops; ++i) {
    const op& step = tree.ops[i];
    const bool opens = step.what == op::kind::fork && open.empty();
    if (opens || open.empty()) {
      const bool goes_on = !opens && !found.empty() && !found.back().forks;
      if (!goes_on) found.push_back({{i, 0}, opens, opens ? step.count : 0});
    }
    ++found.back().steps.ops;
    if (step.what == op::kind::fork) open.insert(step.count);
    if (step.what == op::kind::wait) open.erase(step.count);
  }
  return found;
}

const root* main_root(const task_tree& tree) {
  const root* found = nullptr;
  for (const root& each : tree.roots) {
    if (found == nullptr || each.label == "run" || found->label != "run") found = &each;
  }
  return found;
}

std::vector<phase> iterations_of(const task_tree& tree, const root& of) {
  std::map<std::uint32_t, std::vector<phase>> by_site;
  for (const phase& each : phases_of(tree, of)) {
    if (each.forks) by_site[tree.groups[each.group].site].push_back(each);
  }
  std::vector<phase> most;
  for (auto& [site, phases] : by_site) {
    if (phases.size() > most.size()) most = std::move(phases);
  }
  return most;
}

}  // namespace jackdaw::analysis
