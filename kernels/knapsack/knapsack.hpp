#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// `invoke`: a node's two subtrees, with the next item and without it, by one invoke.
enum class knapsack_shape { invoke };

/// Items.
inline constexpr auto knapsack_sizes =
    std::to_array<choice<std::size_t>>({{"60", 60}, {"tiny", 24}, {"40", 40}, {"56", 56}, {"64", 64}});
inline constexpr auto knapsack_shapes = std::to_array<choice<knapsack_shape>>({{"invoke", knapsack_shape::invoke}});

/// An item that may be put into the knapsack. Weighs at least 1.
struct knapsack_item {
  std::uint64_t value = 0, weight = 1;
};

/// The most value that fits into a knapsack, by branch and bound (Cilk's knapsack). Items are taken or left in
/// descending order of value per weight. A subtree is skipped if what remains of the capacity, filled as densely as by
/// its next item, would not give more than the best value found so far. The number of visited nodes depends on timing;
/// the result does not.
class knapsack_problem : public problem {
 public:
  using items_left = std::span<const knapsack_item>;
  using best_value = std::atomic<std::uint64_t>;

  /// The decisions on this many first items are forks; one task searches the rest. Such early decisions are hardly ever
  /// forced, and later ones are mostly cut off.
  static constexpr unsigned forked_items = 14;

  explicit knapsack_problem(const request& wanted);

  void prepare() override { best.store(0, std::memory_order_relaxed); }

  /// Compares the best value with that of dynamic programming over capacities.
  void check() override;

 protected:
  std::vector<knapsack_item> items_sorted;
  std::uint64_t capacity;
  best_value best = 0;

 private:
  std::uint64_t expected_ = 0;
};

/// A node of the search tree: the decisions so far.
struct knapsack_node {
  knapsack_problem::items_left items;  ///< not decided yet
  std::uint64_t capacity;              ///< remaining
  std::uint64_t value;                 ///< of the items taken

  /// Whether this subtree may hold more than `best`.
  bool promises_more_than(std::uint64_t best) const {
    return !items.empty() && value + capacity * items[0].value / items[0].weight > best;
  }
  bool next_fits() const { return items[0].weight <= capacity; }
  knapsack_node with_next() const { return {items.subspan(1), capacity - items[0].weight, value + items[0].value}; }
  knapsack_node without_next() const { return {items.subspan(1), capacity, value}; }

  /// Raises `best` to this node's value if that is more.
  void report_to(knapsack_problem::best_value& best) const {
    std::uint64_t seen = best.load(std::memory_order_relaxed);
    while (seen < value && !best.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }
};

/// Raises `best` to the most value that the node's subtree holds.
void knapsack_serially(const knapsack_node& node, knapsack_problem::best_value& best);

/// Returns the most value of items that fit into `capacity`, in time and memory proportional to items times capacity.
std::uint64_t knapsack_by_capacities(std::span<const knapsack_item> items, std::uint64_t capacity);

}  // namespace jackdaw::kernels
