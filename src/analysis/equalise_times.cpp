#include "analysis/equalise_times.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace jackdaw::analysis {

using trace::access;
using trace::op;
using trace::task_tree;

void equalise_times(task_tree& tree) {
  using shape = std::vector<std::array<std::uint64_t, 4>>;
  std::map<shape, std::vector<std::size_t>> alike;
  shape one;
  for (std::size_t i = 0; i < tree.ops.size(); ++i) {
    const op& step = tree.ops[i];
    if (step.what != op::kind::compute) continue;
    one.clear();
    for (std::uint32_t a = step.first; a < step.first + step.count; ++a) {
      const access& each = tree.accesses[a];
      one.push_back({each.length, each.rows, each.stride, each.write ? 1U : 0U});
    }
    alike[one].push_back(i);
  }
  for (const auto& [key, steps] : alike) {
    std::vector<double> times;
    for (const std::size_t i : steps) times.push_back(tree.ops[i].amount);
    const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
    std::nth_element(times.begin(), tenth, times.end());
    for (const std::size_t i : steps) tree.ops[i].amount = *tenth;
  }
}

void set_times(task_tree& tree, double leaf, double other) {
  tree.compute_rate = 1;
  tree.vector_rate = 0;
  tree.instructions = 0;
  for (op& step : tree.ops) {
    if (step.what == op::kind::compute) step.amount = step.count != 0 ? leaf : other;
  }
}

}  // namespace jackdaw::analysis
