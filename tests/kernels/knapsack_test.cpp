#include "kernels/knapsack/knapsack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/mix.hpp"

namespace jackdaw::kernels {
namespace {

using items = std::vector<knapsack_item>;

/// Some light and worthless items, some too heavy, densest first.
items random_items(std::size_t n, std::uint64_t seed) {
  items result;
  for (std::size_t i = 0; i != n; ++i)
    result.push_back({.value = mix(seed + 2 * i) % 50, .weight = 1 + mix(seed + 2 * i + 1) % 60});
  std::ranges::sort(result, [](const auto& a, const auto& b) { return a.value * b.weight > b.value * a.weight; });
  return result;
}

std::uint64_t by_all_subsets(const items& all, std::uint64_t capacity) {
  std::uint64_t best = 0;
  for (std::uint32_t subset = 0; subset >> all.size() == 0; ++subset) {
    std::uint64_t value = 0, weight = 0;
    for (std::size_t i = 0; i != all.size(); ++i)
      if ((subset >> i & 1) != 0) {
        value += all[i].value;
        weight += all[i].weight;
      }
    if (weight <= capacity) best = std::max(best, value);
  }
  return best;
}

std::uint64_t by_search(const items& all, std::uint64_t capacity) {
  knapsack_problem::best_value best = 0;
  knapsack_serially({all, capacity, 0}, best);
  return best;
}

TEST(knapsack, search_and_dynamic_programming_find_the_best_of_all_subsets) {
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    const items all = random_items(seed % 11, 1000 * seed);
    const std::uint64_t capacity = mix(seed) % 200;
    const std::uint64_t expected = by_all_subsets(all, capacity);
    EXPECT_EQ(by_search(all, capacity), expected) << seed;
    EXPECT_EQ(knapsack_by_capacities(all, capacity), expected) << seed;
  }
}

TEST(knapsack, items_may_fill_it_exactly_or_not_fit_at_all) {
  const items all = {{.value = 9, .weight = 3}, {.value = 5, .weight = 5}};
  EXPECT_EQ(by_search(all, 8), 14u);
  EXPECT_EQ(by_search(all, 7), 9u);
  EXPECT_EQ(by_search(all, 2), 0u);
  EXPECT_EQ(by_search(all, 0), 0u);
  EXPECT_EQ(by_search({}, 5), 0u);
}

class serial_knapsack : public knapsack_problem {
 public:
  using knapsack_problem::knapsack_problem;
  void run() override { knapsack_serially({items_sorted, capacity, 0}, best); }
  void change_by(std::uint64_t amount) { best += amount; }
};

TEST(knapsack, check_finds_too_little_and_too_much) {
  serial_knapsack p({.size = "tiny"});
  p.prepare();
  p.run();
  EXPECT_NO_THROW(p.check());
  p.change_by(1);
  EXPECT_THROW(p.check(), check_failed);
  p.change_by(-std::uint64_t{2});
  EXPECT_THROW(p.check(), check_failed);
}

}  // namespace
}  // namespace jackdaw::kernels
