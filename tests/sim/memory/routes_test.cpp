#include "sim/memory/routes.hpp"

#include <gtest/gtest.h>

#include <jackdaw/error.hpp>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

/// The sockets that a route passes by its links.
std::vector<unsigned> path(const machine_model& m, const routes& ways, std::uint16_t route) {
  std::vector<unsigned> result;
  for (const std::uint16_t step : ways.steps(route)) {
    const resource& at = ways.resources()[step];
    if (at.what != resource::kind::link) continue;
    if (result.empty()) result.push_back(m.links[at.number].from);
    EXPECT_EQ(result.back(), m.links[at.number].from);
    result.push_back(m.links[at.number].to);
  }
  return result;
}

TEST(routes, lead_from_the_data_to_their_reader) {
  const machine_model m = ring();
  const routes ways(m);
  using sockets = std::vector<unsigned>;
  EXPECT_EQ(path(m, ways, ways.shared(2)), sockets{});
  EXPECT_EQ(path(m, ways, ways.memory(2, 2)), sockets{});
  EXPECT_EQ(path(m, ways, ways.memory(3, 0)), (sockets{3, 0}));
  EXPECT_EQ(path(m, ways, ways.write_back(3, 0)), (sockets{3, 0}));
  EXPECT_EQ(path(m, ways, ways.cache(1, 0)), (sockets{1, 0}));
  // Two ways of two links each: through the lower number.
  EXPECT_EQ(path(m, ways, ways.memory(0, 2)), (sockets{0, 1, 2}));
  EXPECT_EQ(path(m, ways, ways.cache(3, 1)), (sockets{3, 0, 1}));
  EXPECT_EQ(ways.hops(3, 1), 2);
  EXPECT_EQ(ways.hops(3, 3), 0);
}

TEST(routes, have_rate_and_latency_of_the_machine) {
  const machine_model m = ring();
  const routes ways(m);
  EXPECT_EQ(ways[ways.shared(1)].rate, 16);
  EXPECT_EQ(ways[ways.shared(1)].latency, 20);
  EXPECT_EQ(ways[ways.memory(1, 1)].rate, 10);
  EXPECT_EQ(ways[ways.memory(1, 1)].latency, 100);
  EXPECT_EQ(ways[ways.memory(1, 3)].rate, 6);
  EXPECT_EQ(ways[ways.memory(1, 3)].latency, 200);
  EXPECT_EQ(ways[ways.cache(0, 1)].rate, 6);
  EXPECT_EQ(ways[ways.cache(0, 1)].latency, 70);
  EXPECT_EQ(ways[ways.write_back(0, 0)].rate, 10);
  EXPECT_EQ(ways[ways.write_back(0, 2)].rate, 6);
  EXPECT_EQ(ways[ways.write_back(0, 2)].latency, 0);
}

TEST(routes, take_a_nodes_own_rate_for_one_core) {
  machine_model m = ring();
  m.nodes[1].rate = 4;   // below what comes from other sockets
  m.nodes[2].rate = 25;  // above what a core reads elsewhere
  const routes ways(m);
  EXPECT_EQ(ways[ways.memory(0, 0)].rate, 10);
  EXPECT_EQ(ways[ways.memory(1, 1)].rate, 4);
  EXPECT_EQ(ways[ways.memory(1, 0)].rate, 4);
  EXPECT_EQ(ways[ways.memory(2, 2)].rate, 25);
  EXPECT_EQ(ways[ways.memory(2, 0)].rate, 6);
  EXPECT_EQ(ways[ways.write_back(1, 1)].rate, 10);
}

TEST(routes, lead_from_another_cache_of_the_socket_as_from_its_memory) {
  machine_model m = small_machine(2, 4);
  m.shared_cache_cores = 2;
  const routes ways(m);
  EXPECT_EQ(ways[ways.shared(3)].rate, 16);
  EXPECT_EQ(ways[ways.shared(3)].latency, 20);
  EXPECT_EQ(path(m, ways, ways.cache(0, 1)), std::vector<unsigned>{});
  EXPECT_EQ(ways[ways.cache(0, 1)].rate, 10);
  EXPECT_EQ(ways[ways.cache(0, 1)].latency, 100);
  EXPECT_EQ(path(m, ways, ways.cache(1, 2)), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(ways[ways.cache(1, 2)].rate, 6);
  EXPECT_EQ(ways[ways.cache(1, 2)].latency, 70);
  std::vector<int> seen(ways.size(), 0);
  for (unsigned group = 0; group < 4; ++group) {
    ++seen.at(ways.shared(group));
    for (unsigned other = 0; other < 4; ++other) ++seen.at(ways.cache(group, other));
  }
  for (unsigned socket = 0; socket < 2; ++socket)
    for (unsigned node = 0; node < 2; ++node) {
      ++seen.at(ways.memory(node, socket));
      ++seen.at(ways.write_back(socket, node));
    }
  EXPECT_EQ(seen, std::vector<int>(ways.size(), 1));
}

TEST(routes, a_runs_beginning_has_rates_of_its_own) {
  machine_model m = ring();
  m.slow_start = {.length = 256, .rate = 5, .line_rate = 2};
  const routes ways(m);
  EXPECT_EQ(ways[ways.first_line(1, 1)].rate, 2);
  EXPECT_EQ(ways[ways.ramp(1, 1)].rate, 5);
  EXPECT_NEAR(ways[ways.first_line(1, 3)].rate, 6 * 0.2, 1e-9);
  EXPECT_EQ(ways[ways.first_line(1, 1)].latency, 100);
  EXPECT_EQ(ways.later(ways.first_line(1, 3)), ways.ramp(1, 3));
  EXPECT_EQ(ways.later(ways.ramp(1, 3)), ways.memory(1, 3));
  EXPECT_EQ(ways.later(ways.memory(1, 3)), ways.memory(1, 3));
  EXPECT_EQ(ways.later(ways.shared(2)), ways.shared(2));
  m.slow_start.line_rate = 0;
  EXPECT_EQ(routes(m)[ways.first_line(1, 1)].rate, 5) << "as the ramp";
}

TEST(routes, numbers_are_all_different) {
  const routes ways(ring());
  std::vector<int> seen(ways.size(), 0);
  for (unsigned socket = 0; socket < 4; ++socket) {
    ++seen.at(ways.shared(socket));
    for (unsigned other = 0; other < 4; ++other) {
      ++seen.at(ways.memory(other, socket));
      ++seen.at(ways.write_back(socket, other));
      ++seen.at(ways.cache(other, socket));
    }
  }
  EXPECT_EQ(seen, std::vector<int>(ways.size(), 1));
}

TEST(routes, order_nodes_by_links_then_kind_then_number) {
  machine_model m = ring();
  m.nodes.insert(m.nodes.begin(),
                 {.socket = 0, .kind = machine_model::memory_kind::cxl, .capacity = 1, .bandwidth = 1});
  m.nodes.insert(m.nodes.begin(),
                 {.socket = 0, .kind = machine_model::memory_kind::hbm, .capacity = 1, .bandwidth = 1});
  const routes ways(m);  // nodes: 0 hbm, 1 cxl, 2 to 5 the sockets' DRAM
  const auto order = ways.nearest(0);
  EXPECT_EQ(std::vector<unsigned>(order.begin(), order.end()), (std::vector<unsigned>{2, 0, 1, 3, 5, 4}));
  EXPECT_EQ(ways.nearest(3)[0], 5);
}

TEST(routes, refuse_a_machine_in_two_parts) {
  machine_model m = small_machine();
  m.links.pop_back();
  EXPECT_THROW(routes{m}, error);
}

}  // namespace
}  // namespace jackdaw::sim
