#include <algorithm>
#include <string>

#include "kernels/common/mix.hpp"
#include "kernels/knapsack/knapsack.hpp"

namespace jackdaw::kernels {
namespace {

/// Returns an item whose value is its weight plus 100. Such instances are hard for branch and bound ("strongly
/// correlated", Martello and Toth 1990).
knapsack_item random_item(std::uint64_t i) {
  const std::uint64_t weight = 100 + mix(i) % 900;
  return {.value = weight + 100, .weight = weight};
}

}  // namespace

knapsack_problem::knapsack_problem(const request& wanted) : capacity(0) {
  choose(knapsack_shapes, "knapsack", "shape", wanted.shape);
  const std::size_t n = choose(knapsack_sizes, "knapsack", "size", wanted.size);
  for (std::size_t i = 0; i != n; ++i) {
    items_sorted.push_back(random_item(i));
    capacity += items_sorted.back().weight;
  }
  capacity /= 2;
  std::ranges::sort(items_sorted, [](const knapsack_item& a, const knapsack_item& b) {
    return a.value * b.weight > b.value * a.weight;
  });
}

void knapsack_problem::check() {
  if (expected_ == 0) expected_ = knapsack_by_capacities(items_sorted, capacity);
  const std::uint64_t found = best.load(std::memory_order_relaxed);
  if (found != expected_)
    throw check_failed("the best value came out as " + std::to_string(found) + ", expected " +
                       std::to_string(expected_));
}

void knapsack_serially(const knapsack_node& node, knapsack_problem::best_value& best) {
  node.report_to(best);
  if (!node.promises_more_than(best.load(std::memory_order_relaxed))) return;
  if (node.next_fits()) knapsack_serially(node.with_next(), best);
  knapsack_serially(node.without_next(), best);
}

std::uint64_t knapsack_by_capacities(std::span<const knapsack_item> items, std::uint64_t capacity) {
  std::vector<std::uint64_t> best(capacity + 1);  // by capacity, with the items looked at so far
  for (const auto& [value, weight] : items)
    for (std::uint64_t c = capacity + 1; c-- > weight;) best[c] = std::max(best[c], best[c - weight] + value);
  return best[capacity];
}

}  // namespace jackdaw::kernels
