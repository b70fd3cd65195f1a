#include "sim/memory/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

struct started {
  std::uint32_t core;
  std::uint16_t route;
  double bytes;
  double at = 0;
};

/// When each core's transfer ends. Every core starts one, in order of time.
std::vector<double> ends(const routes& ways, const std::vector<started>& all) {
  std::uint32_t cores = 0;
  for (const started& each : all) cores = std::max(cores, each.core + 1);
  traffic t(ways, cores);
  std::vector<double> result(cores, -1);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const started& a, const started& b) { return a.at < b.at; }));
  std::size_t next = 0;
  while (next < all.size() || t.active() > 0) {
    if (next < all.size() && all[next].at <= t.next()) {
      t.start(all[next].core, all[next].route, all[next].bytes, all[next].at);
      ++next;
    } else if (const std::uint32_t core = t.finish(); core != traffic::none) {
      result[core] = t.time();
    }
    t.check();
  }
  EXPECT_EQ(t.next(), traffic::never);
  return result;
}

void expect_close(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-9 * wanted[i]) << i;
}

// small_machine: nodes 32 bytes per ns and 100 ns, links 8 and 50 ns, cores 10 from their own memory and 6 from
// another's, shared caches 16 for a core, 48 together and 20 ns.

TEST(traffic, one_core_streams_at_its_own_rate) {
  const routes ways(small_machine());
  expect_close(ends(ways, {{0, ways.memory(0, 0), 1e6}}), {100 + 1e6 / 10});
  expect_close(ends(ways, {{0, ways.memory(1, 0), 1e6}}), {150 + 1e6 / 6});
  expect_close(ends(ways, {{0, ways.shared(0), 1e6}}), {20 + 1e6 / 16});
  expect_close(ends(ways, {{0, ways.cache(1, 0), 1e6}}), {70 + 1e6 / 6});
  expect_close(ends(ways, {{0, ways.write_back(0, 1), 1e6}}), {1e6 / 6});
}

TEST(traffic, a_far_node_is_reached_through_every_link_between) {
  const routes ways(ring());
  expect_close(ends(ways, {{0, ways.memory(2, 0), 6000}}), {100 + 2 * 50 + 1000});
  // One more on the second link, where both share 8.
  expect_close(ends(ways, {{0, ways.memory(2, 0), 8000}, {1, ways.memory(1, 0), 8000, 50}}), {200 + 2000, 200 + 2000});
}

class cores_on_a_node : public testing::TestWithParam<unsigned> {};

TEST_P(cores_on_a_node, share_its_bandwidth) {
  const unsigned k = GetParam();
  const routes ways(small_machine(2, 16));
  std::vector<started> all;
  for (unsigned core = 0; core < k; ++core) all.push_back({core, ways.memory(0, 0), 1e5});
  const double rate = std::min(10.0, 32.0 / k);
  expect_close(ends(ways, all), std::vector<double>(k, 100 + 1e5 / rate));
}

INSTANTIATE_TEST_SUITE_P(traffic, cores_on_a_node, testing::Range(1U, 17U));

TEST(traffic, a_longer_transfer_has_the_link_for_itself_when_the_other_is_through) {
  const routes ways(small_machine());
  // 4 each until the shorter one is through at 150 + 250, then 6.
  expect_close(ends(ways, {{0, ways.memory(1, 0), 1000}, {1, ways.memory(1, 0), 3000}}),
               {150 + 250, 150 + 250 + 2000.0 / 6});
}

TEST(traffic, one_that_starts_later_takes_its_share_from_then_on) {
  const routes ways(small_machine());
  // From 150 to 350 core 0 has 6 (1200 bytes), then 4 for its last 800, until 550; core 1 has got 800 by then, and 6
  // for the other 1200.
  expect_close(ends(ways, {{0, ways.memory(1, 0), 2000}, {1, ways.memory(1, 0), 2000, 200}}), {550, 550 + 200});
}

TEST(traffic, the_two_directions_of_a_connection_are_apart) {
  const routes ways(small_machine());
  expect_close(ends(ways, {{0, ways.memory(1, 0), 6000}, {1, ways.memory(0, 1), 6000}}), {1150, 1150});
  // Write-backs go the other way than reads.
  expect_close(ends(ways, {{0, ways.memory(1, 0), 6000}, {1, ways.write_back(0, 1), 6000}}), {1150, 1000});
  // In the same direction: the write-back has 6 until 150 (900 bytes), then both have 4 until its 3700 others are
  // through; then the read has 6 for the 2300 that are left.
  expect_close(ends(ways, {{0, ways.memory(1, 0), 6000}, {1, ways.write_back(1, 0), 4600}}),
               {150 + 925 + 2300.0 / 6, 150 + 925});
}

TEST(traffic, unused_bandwidth_goes_to_the_others) {
  // Node 0 (32): four cores of its own socket, and three of the other, for which the link (8) leaves 8/3 each. What is
  // left, 24, is shared by the four: 6 each.
  const machine_model m = small_machine(2, 8);
  const routes ways(m);
  traffic t(ways, 7);
  for (std::uint32_t core = 0; core < 4; ++core) t.start(core, ways.memory(0, 0), 1e6, 0);
  for (std::uint32_t core = 4; core < 7; ++core) t.start(core, ways.memory(0, 1), 1e6, 0);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(t.finish(), traffic::none);
  EXPECT_NEAR(t.rate(ways.memory(0, 0)), 6, 1e-12);
  EXPECT_NEAR(t.rate(ways.memory(0, 1)), 8.0 / 3, 1e-12);
  t.check();
}

TEST(traffic, three_levels_by_hand) {
  // The link (8) first: a reader of node 0 and three of socket 0's cache have 2 each. Of node 0 (26) 24 are left for
  // its own socket: two readers have their cap of 10; with a third one they have 8 each.
  machine_model m = small_machine(2, 8);
  m.nodes[0].bandwidth = 26;
  const routes ways(m);
  traffic t(ways, 8);
  t.start(0, ways.memory(0, 0), 1e6, 0);
  t.start(1, ways.memory(0, 0), 1e6, 0);
  t.start(2, ways.memory(0, 1), 1e6, 0);
  for (std::uint32_t core = 3; core < 6; ++core) t.start(core, ways.cache(0, 1), 1e6, 0);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(t.finish(), traffic::none);
  EXPECT_NEAR(t.rate(ways.memory(0, 1)), 2, 1e-12);
  EXPECT_NEAR(t.rate(ways.cache(0, 1)), 2, 1e-12);
  EXPECT_NEAR(t.rate(ways.memory(0, 0)), 10, 1e-12);
  t.start(6, ways.memory(0, 0), 1e6, t.time());
  EXPECT_EQ(t.finish(), traffic::none);
  EXPECT_NEAR(t.rate(ways.memory(0, 0)), 8, 1e-12);
  EXPECT_NEAR(t.rate(ways.memory(0, 1)), 2, 1e-12);
  t.check();
}

TEST(traffic, latency_passes_once_before_the_first_byte) {
  const routes ways(small_machine());
  traffic t(ways, 2);
  t.start(0, ways.memory(0, 0), 0, 1000);
  EXPECT_EQ(t.next(), 1100);
  EXPECT_EQ(t.rate(ways.memory(0, 0)), 0);
  EXPECT_EQ(t.finish(), traffic::none);
  EXPECT_EQ(t.next(), 1100);
  EXPECT_EQ(t.finish(), 0);
  EXPECT_EQ(t.next(), traffic::never);
  // What goes on waits for nothing.
  t.start(0, ways.memory(0, 0), 600, 2000, false);
  EXPECT_EQ(t.next(), 2060);
  EXPECT_EQ(t.finish(), 0);
  // A transfer that waits for its first byte takes no bandwidth from others.
  expect_close(ends(ways, {{0, ways.write_back(1, 0), 600}, {1, ways.memory(1, 0), 600}}), {100, 250});
}

TEST(traffic, ends_at_the_same_time_come_in_the_order_of_start) {
  const routes ways(small_machine(2, 8));
  traffic t(ways, 6);
  for (const std::uint32_t core : {3, 1, 5, 0, 2, 4})
    t.start(core, core % 2 == 0 ? ways.memory(0, 0) : ways.memory(1, 1), 1000, 0);
  std::vector<std::uint32_t> order;
  while (t.active() > 0)
    if (const std::uint32_t core = t.finish(); core != traffic::none) order.push_back(core);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 1, 5, 0, 2, 4}));
}

TEST(traffic, knows_the_traffic_of_each_resource) {
  const machine_model m = small_machine();
  const routes ways(m);
  traffic t(ways, 2);
  t.start(0, ways.memory(1, 0), 1200, 0);
  t.finish();
  t.finish();
  t.start(1, ways.memory(1, 1), 1000, 1000);
  t.finish();
  t.start(0, ways.shared(0), 1, t.next() - 50);
  EXPECT_NEAR(t.of(1).bytes, 1200 + 500, 1e-9);
  EXPECT_NEAR(t.of(1).busy, 200 + 50, 1e-9);
  EXPECT_EQ(t.of(0).bytes, 0);
  for (const std::uint16_t step : ways.steps(ways.memory(1, 0)))
    EXPECT_NEAR(t.of(step).bytes, step == 1 ? 1200 + 500 : 1200, 1e-9);
  t.check();
}

TEST(traffic, refuses_misuse) {
  const routes ways(small_machine());
  traffic t(ways, 2);
  EXPECT_THROW(t.finish(), std::logic_error);
  t.start(0, ways.memory(0, 0), 1000, 10);
  EXPECT_THROW(t.start(0, ways.memory(0, 0), 1000, 10), std::logic_error);
  EXPECT_THROW(t.start(1, ways.memory(0, 0), 1000, 9), std::logic_error);
  EXPECT_THROW(t.start(1, ways.memory(0, 0), 1000, 200), std::logic_error);
  EXPECT_THROW(t.start(1, ways.memory(0, 0), -1, 10), std::logic_error);
}

/// Every check after every event, and every byte ends where it was to go.
TEST(traffic, random_transfers_keep_every_invariant_and_repeat_exactly) {
  const machine_model m = ring();
  const routes ways(m);
  const auto run = [&] {
    std::mt19937_64 random(17);
    traffic t(ways, 16);
    std::vector<double> times;
    double wanted = 0;
    const auto start = [&](std::uint32_t core) {
      const auto socket = m.socket_of(core);
      const auto other = static_cast<unsigned>(random() % 4);
      const std::uint16_t ways_out[] = {ways.shared(socket), ways.memory(other, socket), ways.write_back(socket, other),
                                        other == socket ? ways.shared(socket) : ways.cache(other, socket)};
      const std::uint16_t route = ways_out[random() % 4];
      const double bytes = random() % 10 == 0 ? 0 : static_cast<double>(64 * (random() % 500));
      for (const std::uint16_t step : ways.steps(route))
        wanted += ways.resources()[step].what == resource::kind::link ? 0 : bytes;
      t.start(core, route, bytes, t.time());
    };
    for (std::uint32_t core = 0; core < 16; ++core) start(core);
    for (int i = 0; i < 10000 || t.active() > 0; ++i) {
      const double before = t.time();
      const std::uint32_t core = t.finish();
      EXPECT_GE(t.time(), before);
      if (core != traffic::none) {
        times.push_back(t.time());
        if (i < 10000 && random() % 8 != 0) start(core);
      }
      if (i % 7 == 0) t.check();
      if (t.active() == 0 && i >= 10000) break;
      if (t.active() == 0)
        for (std::uint32_t c = 0; c < 16; ++c) start(c);
    }
    t.check();
    double carried = 0;
    for (std::uint16_t i = 0; i < ways.resources().size(); ++i)
      if (ways.resources()[i].what != resource::kind::link) carried += t.of(i).bytes;
    EXPECT_NEAR(carried, wanted, 1e-9 * wanted);
    return times;
  };
  const std::vector<double> first = run();
  EXPECT_GT(first.size(), 3000);
  EXPECT_EQ(first, run());
}

}  // namespace
}  // namespace jackdaw::sim
