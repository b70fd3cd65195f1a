// One copy of a table on each node with processors.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/runtime.hpp"
#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

/// Nodes with processors that may be used.
std::set<unsigned> nodes_with_cpus() {
  std::set<unsigned> nodes;
  for (const numa::node_view& each : test::usable_nodes()) {
    if (!each.cpus.empty()) nodes.insert(each.os);
  }
  return nodes;
}

template <class T>
void expect_copies_at_home(const replicated<T>& table, runtime& rt) {
  std::vector<unsigned> elsewhere(rt.workers(), 1);
  rt.run([&] {
    for_index(
        0u, rt.workers(),
        [&](unsigned) {
          const T& mine = table.local();
          const std::size_t bytes = mine.size() * sizeof(typename T::value_type);
          elsewhere[this_worker().value()] = where(mine).on(this_node().value()) == bytes ? 0 : 1;
        },
        grain{1});
  });
  EXPECT_EQ(elsewhere, std::vector<unsigned>(rt.workers(), 0));
  const replication_report report = table.report();
  EXPECT_EQ(report.nodes.size(), nodes_with_cpus().size());
  EXPECT_EQ(std::set<unsigned>(report.nodes.begin(), report.nodes.end()), nodes_with_cpus());
  EXPECT_TRUE(report.notes.empty());
}

TEST(numa_replicated, has_one_copy_on_each_node_with_processors) {
  runtime rt({.scheduler = "adws:no-steal", .pin = true});
  if (!rt.place(0).os_cpu) GTEST_SKIP() << "workers are not pinned";
  const placed_array<int> numbers(300000, 7, placement::interleave());
  replicated<placed_array<int>> table(numbers);
  expect_copies_at_home(table, rt);
  table.update([](placed_array<int>& next) { next[0] = 8; });
  expect_copies_at_home(table, rt);
  EXPECT_EQ(table.local()[0], 8);
  EXPECT_EQ(table.local()[1], 7);

  const replicated<std::pmr::vector<int>> words{std::pmr::vector<int>(50000, 3)};
  expect_copies_at_home(words, rt);
}

TEST(numa_replicated, is_interleaved_if_the_budget_is_small) {
  const auto nodes = nodes_with_cpus();
  const placed_array<int> numbers(300000, 7, placement::interleave());
  const replicated<placed_array<int>> table(numbers, base_page_size());
  EXPECT_TRUE(table.report().interleaved);
  EXPECT_EQ(table.local()[299999], 7);
  const page_locations now = where(table.local());
  for (const unsigned node : nodes) EXPECT_GT(now.on(node), 0u) << now.text();
}

}  // namespace
}  // namespace jackdaw
