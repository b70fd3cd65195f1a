// Tasks near given pages.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>

#include "jackdaw/memory/affinity.hpp"
#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

TEST(numa_near, is_the_node_that_most_pages_are_on) {
  const auto nodes = test::usable_nodes();
  const bool one = numa::view_now(*detail::machine_here()).nodes.size() == 1;
  for (const auto& node : nodes) {
    if (!test::in_reach(node)) continue;
    placed_memory bytes(256 * base_page_size(), placement::on(node.os).with_pages(page_choice::base));
    test::touch_all(bytes);
    const affinity found = near(bytes.data(), bytes.size());
    EXPECT_EQ(found.node().has_value(), !one);
    EXPECT_EQ(found.node().value_or(node.os), node.os);
    EXPECT_EQ(near(bytes.data() + 1, 1).node(), found.node());
    EXPECT_FALSE(found.named());
  }
  const placed_memory untouched(16 * base_page_size());
  EXPECT_FALSE(near(untouched.data(), untouched.size()).node().has_value());
}

TEST(numa_near, goes_with_the_pages_after_a_migration) {
  const auto nodes = test::usable_nodes();
  if (nodes.size() < 2) GTEST_SKIP() << "one node";
  if (test::numa_calls_are_refused()) GTEST_SKIP() << "nothing can be moved";
  placed_memory bytes(64 * base_page_size(), placement::on(nodes.front().os).with_pages(page_choice::base));
  test::touch_all(bytes);
  migrate(bytes.data() + bytes.size() / 4, bytes.size() / 4 * 3, nodes.back().os);
  EXPECT_EQ(near(bytes.data(), bytes.size()).node(), nodes.back().os);
}

/// No node is guaranteed, only that the task runs once and returns its result.
TEST(numa_near, tasks_run) {
  for (const auto& node : test::usable_nodes()) {
    placed_memory bytes(16 * base_page_size(), placement::on(node.os));
    test::touch_all(bytes);
    const std::span<const std::byte> all(bytes.data(), bytes.size());
    const auto [size, other] = invoke(near(all, [&] { return all.size(); }), [] { return 1; });
    EXPECT_EQ(size, all.size());
    EXPECT_EQ(other, 1);
  }
}

}  // namespace
}  // namespace jackdaw
