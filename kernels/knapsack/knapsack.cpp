#include "kernels/knapsack/knapsack.hpp"

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

/// Forks at the next `forks` items.
void search(const knapsack_node& node, unsigned forks, knapsack_problem::best_value& best) {
  if (forks == 0) return knapsack_serially(node, best);
  node.report_to(best);
  if (!node.promises_more_than(best.load(std::memory_order_relaxed))) return;
  if (!node.next_fits()) return search(node.without_next(), forks - 1, best);
  jackdaw::invoke([&] { search(node.with_next(), forks - 1, best); },
                  [&] { search(node.without_next(), forks - 1, best); });
}

class jackdaw_knapsack : public knapsack_problem {
 public:
  using knapsack_problem::knapsack_problem;
  void run() override { search({items_sorted, capacity, 0}, forked_items, best); }
};

class serial_knapsack : public knapsack_problem {
 public:
  using knapsack_problem::knapsack_problem;
  void run() override { knapsack_serially({items_sorted, capacity, 0}, best); }
};

}  // namespace

kernel knapsack() {
  return {.name = "knapsack",
          .summary = "0-1 knapsack by branch and bound, with one bound for all tasks",
          .sizes = names(knapsack_sizes),
          .shapes = names(knapsack_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_knapsack>("jackdaw"), make_side<serial_knapsack>("serial")}};
}

}  // namespace jackdaw::kernels
