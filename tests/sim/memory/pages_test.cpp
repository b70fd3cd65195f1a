#include "sim/memory/pages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <jackdaw/error.hpp>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t page = 4096;

struct placed {
  explicit placed(machine_model m, std::uint64_t count, const policy& rule)
      : machine(std::move(m)), ways(machine), at(machine, ways, count, rule) {}
  machine_model machine;
  routes ways;
  pages at;
};

std::vector<std::uint64_t> used(const placed& of) {
  std::vector<std::uint64_t> result;
  for (unsigned node = 0; node < of.machine.nodes.size(); ++node) result.push_back(of.at.used(node));
  return result;
}

using counts = std::vector<std::uint64_t>;

TEST(pages, first_touch_places_at_the_first_touch) {
  placed p(ring(), 10, {});
  EXPECT_EQ(p.at.node(3), pages::none);
  EXPECT_EQ(p.at.touch(3, 2), 2);
  EXPECT_EQ(p.at.touch(3, 0), 2);
  EXPECT_EQ(p.at.node(3), 2);
  EXPECT_EQ(used(p), (counts{0, 0, 1, 0}));
  p.at.check();
}

TEST(pages, first_touch_keeps_to_allowed_nodes) {
  placed p(ring(), 10, {.nodes = {1, 3}});
  EXPECT_EQ(p.at.touch(0, 3), 3);
  EXPECT_EQ(p.at.touch(1, 2), 1);  // as near as 3, and lower
  EXPECT_EQ(p.at.touch(2, 0), 1);
}

TEST(pages, interleave_goes_round) {
  placed p(ring(), 10, {.what = policy::kind::interleave});
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(p.at.node(i), i % 4);
  EXPECT_EQ(used(p), (counts{3, 3, 2, 2}));
  placed q(ring(), 10, {.what = policy::kind::interleave, .nodes = {3, 1}});
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(q.at.node(i), i % 2 == 0 ? 3 : 1);
  q.at.check();
}

TEST(pages, bind_puts_all_on_one_node) {
  placed p(ring(), 10, {.what = policy::kind::bind, .nodes = {2}});
  EXPECT_EQ(used(p), (counts{0, 0, 10, 0}));
}

TEST(pages, weighted_follows_bandwidth) {
  machine_model m = ring();
  const std::vector<double> bandwidth{10, 30, 7, 53};
  for (unsigned node = 0; node < 4; ++node) m.nodes[node].bandwidth = bandwidth[node];
  const policy rule{.what = policy::kind::weighted};
  placed p(m, 1000, rule);
  EXPECT_EQ(used(p), (counts{100, 300, 70, 530}));
  // Evenly mixed: every beginning has the proportion too, to less than a page of each node.
  counts so_far(4, 0);
  for (unsigned i = 0; i < 1000; ++i) {
    ++so_far[p.at.node(i)];
    for (unsigned node = 0; node < 4; ++node)
      ASSERT_LT(std::abs(static_cast<double>(so_far[node]) - bandwidth[node] * (i + 1) / 100), 1.0) << i;
  }
  placed q(m, 999, {.what = policy::kind::weighted, .nodes = {1, 0}});
  EXPECT_EQ(used(q), (counts{250, 749, 0, 0}));
}

TEST(pages, a_full_node_overflows_to_the_nearest) {
  machine_model m = ring();
  m.nodes[1].capacity = 3 * page + 100;
  m.nodes[0].capacity = 2 * page;
  placed p(m, 10, {.what = policy::kind::bind, .nodes = {1}});
  EXPECT_EQ(used(p), (counts{2, 3, 5, 0}));
  EXPECT_EQ(p.at.node(2), 1);
  EXPECT_EQ(p.at.node(3), 0);
  EXPECT_EQ(p.at.node(5), 2);
  placed q(m, 10, {});
  for (unsigned i = 0; i < 10; ++i) q.at.touch(i, 1);
  EXPECT_EQ(used(q), (counts{2, 3, 5, 0}));
  // The policy's own nodes come first, however far.
  placed r(m, 10, {.what = policy::kind::interleave, .nodes = {1, 3}});
  EXPECT_EQ(used(r), (counts{0, 3, 0, 7}));
  r.at.check();
}

TEST(pages, refuses_more_than_the_machine_has) {
  machine_model m = small_machine();
  m.nodes[0].capacity = m.nodes[1].capacity = 5 * page;
  EXPECT_EQ(used(placed(m, 10, {.what = policy::kind::bind, .nodes = {0}})), (counts{5, 5}));
  EXPECT_THROW(placed(m, 11, {}), error);
}

TEST(pages, migrate_moves_what_has_a_node_until_the_target_is_full) {
  machine_model m = ring();
  m.nodes[3].capacity = 4 * page;
  placed p(m, 10, {});
  for (const std::uint64_t i : {0, 1, 2, 3}) p.at.touch(i, 0);
  for (const std::uint64_t i : {5, 6, 7}) p.at.touch(i, 1);
  counts from(4, 0);
  EXPECT_EQ(p.at.migrate(1, 2, 3, from), 2 * page);
  EXPECT_EQ(p.at.migrate(1, 2, 3), 0);
  EXPECT_EQ(from, (counts{2 * page, 0, 0, 0}));
  EXPECT_EQ(p.at.migrate(0, 10, 3, from), 2 * page);  // pages 0 and 3; 4 has no node, and then it is full
  EXPECT_EQ(used(p), (counts{0, 3, 0, 4}));
  EXPECT_EQ(p.at.node(4), pages::none);
  EXPECT_EQ(p.at.node(5), 1);
  EXPECT_EQ(p.at.migrate(5, 5, 2, from), 3 * page);
  EXPECT_EQ(from, (counts{4 * page, 3 * page, 0, 0}));
  EXPECT_EQ(p.at.touch(4, 1), 1);
  p.at.check();
}

TEST(pages, a_range_may_follow_another_rule) {
  placed p(ring(), 10, {});
  p.at.touch(2, 0);
  p.at.place(0, 4, {.what = policy::kind::bind, .nodes = {3}});
  p.at.place(4, 3, {.nodes = {1}});
  EXPECT_EQ(p.at.node(0), 3);
  EXPECT_EQ(p.at.node(2), 0);
  EXPECT_EQ(p.at.touch(5, 3), 1);
  EXPECT_EQ(p.at.touch(8, 3), 3);
  p.at.check();
}

}  // namespace
}  // namespace jackdaw::sim
