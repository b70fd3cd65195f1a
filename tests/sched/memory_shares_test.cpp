// Which memory node each worker works from, on a script's squads of four.
#include "sched/memory_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

struct shared {
  shared(std::uint32_t workers, std::vector<memory_node> nodes) : engine(workers, 0) {
    engine.memory = std::move(nodes);
    shares.start(engine);
  }
  std::ptrdiff_t on(std::uint32_t node) const {
    std::ptrdiff_t sum = 0;
    for (worker_id each = 0; each < engine.workers(); ++each) sum += shares.node_of(each) == node ? 1 : 0;
    return sum;
  }
  script engine;
  memory_shares shares;
};

TEST(memory_shares, are_all_of_the_fast_node_while_it_fills_the_cores) {
  const shared it(8, {{.squad = 0, .bandwidth = 60, .rate = 12},
                      {.squad = 1, .bandwidth = 60, .rate = 12},
                      {.squad = 0, .fast = true, .bandwidth = 200, .rate = 11},
                      {.squad = 1, .fast = true, .bandwidth = 200, .rate = 11}});
  for (worker_id each = 0; each < 8; ++each) EXPECT_EQ(it.shares.node_of(each), each < 4 ? 2u : 3u);
  EXPECT_TRUE(it.shares.matter());
}

TEST(memory_shares, follow_bandwidth_where_the_fast_node_is_crowded) {
  // 12 a worker are 48; the fast node gives 24, so that three have 8 there and one has 8 elsewhere.
  const shared it(4,
                  {{.squad = 0, .bandwidth = 8, .rate = 12}, {.squad = 0, .fast = true, .bandwidth = 24, .rate = 12}});
  EXPECT_EQ(it.on(1), 3);
  EXPECT_EQ(it.on(0), 1);
}

TEST(memory_shares, leave_a_node_out_that_gives_one_worker_less) {
  // CXL: a worker gets 6 of it, and 7 of the crowded DRAM.
  const shared it(4, {{.squad = 0, .bandwidth = 28, .rate = 12}, {.squad = 0, .bandwidth = 25, .rate = 6}});
  EXPECT_EQ(it.on(0), 4);
}

TEST(memory_shares, are_of_the_fastest_node_where_rates_are_not_known) {
  const shared it(4, {{.squad = 0, .bandwidth = 80}, {.squad = 0, .fast = true, .bandwidth = 81}});
  EXPECT_EQ(it.on(1), 4);
  const shared alike(4, {{.squad = 0}, {.squad = 0, .fast = true}});
  EXPECT_EQ(alike.on(1), 4) << "it calls itself fast; no bandwidth is known";
}

TEST(memory_shares, do_not_matter_with_one_node_a_squad) {
  const shared it(8, {{.squad = 0}, {.squad = 1}});
  EXPECT_FALSE(it.shares.matter());
  EXPECT_EQ(it.on(0), 4);
}

TEST(memory_shares, are_none_in_a_squad_without_memory) {
  const shared it(8, {{.squad = 0}, {.squad = none, .bandwidth = 9}});
  EXPECT_EQ(it.shares.node_of(7), none);
  EXPECT_EQ(it.shares.node_in(1, 5), none);
  EXPECT_EQ(it.shares.node_in(2, 0), none) << "there is no such squad";
  EXPECT_EQ(it.shares.node_of(8), none) << "there is no such worker";
}

TEST(memory_shares, give_data_to_nodes_in_the_same_parts) {
  const shared it(4,
                  {{.squad = 0, .bandwidth = 8, .rate = 12}, {.squad = 0, .fast = true, .bandwidth = 24, .rate = 12}});
  std::vector<int> parts(2);
  for (std::uint32_t index = 0; index < 40; ++index) ++parts[it.shares.node_in(0, index)];
  EXPECT_EQ(parts, (std::vector{10, 30}));
}

// ---- squads that are unequal --------------------------------------------------------------------------------------

/// What one worker gets of a node from afar, and all of a squad together.
struct far {
  double rate = 6, bandwidth = 20;
};

std::vector<memory_node> one_each(const std::vector<double>& bandwidths, far gives = {}) {
  std::vector<memory_node> nodes;
  for (std::uint32_t squad = 0; squad < bandwidths.size(); ++squad) {
    nodes.push_back({.squad = squad,
                     .bandwidth = bandwidths[squad],
                     .rate = 12,
                     .far_rate = gives.rate,
                     .far_bandwidth = gives.bandwidth});
  }
  return nodes;
}

std::vector<std::uint32_t> nodes_of(const shared& it) {
  std::vector<std::uint32_t> found;
  for (worker_id each = 0; each < it.engine.workers(); ++each) found.push_back(it.shares.node_of(each));
  return found;
}

TEST(memory_shares, let_workers_of_a_crowded_squad_use_what_another_squad_leaves) {
  // 24 for four, and 24 for two, who can take it all. With three each, all get 8 of their node.
  const shared it(6, one_each({24, 24}));
  EXPECT_EQ(nodes_of(it), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1})) << "the neighbour of squad 1 changes";
  EXPECT_TRUE(it.shares.matter());
  EXPECT_EQ(it.shares.nodes(), 2u);
  std::vector<int> parts(2);
  for (std::uint32_t index = 0; index < 40; ++index) ++parts[it.shares.node_in(0, index)];
  EXPECT_EQ(parts, (std::vector{30, 10}));
}

TEST(memory_shares, let_workers_of_a_slow_node_use_a_fast_one_of_another_squad) {
  const shared it(8, one_each({48, 24}));
  EXPECT_EQ(nodes_of(it), (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 1, 1, 1})) << "the neighbour of squad 0 changes";
}

TEST(memory_shares, follow_cores_where_bandwidth_cannot_be_used_up) {
  // 200 for four is more than they can take, so that there is nothing to gain, however much is left elsewhere.
  const shared it(6, one_each({200, 900}, {.rate = 11, .bandwidth = 500}));
  EXPECT_EQ(it.on(0), 4);
  EXPECT_FALSE(it.shares.matter());
}

TEST(memory_shares, stay_in_their_squads_where_links_are_slow_or_not_known) {
  for (const far gives : {far{.rate = 0.1, .bandwidth = 20}, far{.rate = 6, .bandwidth = 0.1},
                          far{.rate = 6, .bandwidth = 0}, far{.rate = 0, .bandwidth = 0},
                          far{.rate = 6, .bandwidth = std::nan("")}, far{.rate = std::nan(""), .bandwidth = 20}}) {
    const shared it(6, one_each({24, 24}, gives));
    EXPECT_EQ(it.on(0), 4) << gives.rate << " " << gives.bandwidth;
    EXPECT_FALSE(it.shares.matter());
  }
}

TEST(memory_shares, use_no_node_that_is_near_no_worker) {
  auto nodes = one_each({24, 24});
  nodes[1].squad = none;
  const shared it(4, nodes);
  EXPECT_EQ(it.on(0), 4);
}

TEST(memory_shares, stay_in_squads_that_are_alike) {
  for (std::uint32_t squads = 1; squads <= 9; ++squads) {
    for (const double bandwidth : {0.1, 7.3, 24.0, 47.9, 48.0, 1e9, 1e300}) {
      const shared it(4 * squads, one_each(std::vector(squads, bandwidth), {.rate = 11.9, .bandwidth = 1e300}));
      for (worker_id each = 0; each < 4 * squads; ++each) EXPECT_EQ(it.shares.node_of(each), each / 4);
      EXPECT_FALSE(it.shares.matter());
    }
  }
}

/// The time that the slowest node takes if each worker takes one unit from its own.
double slowest(const shared& it) {
  double found = 0;
  for (std::uint32_t node = 0; node < it.engine.memory.size(); ++node)
    found = std::max(found, static_cast<double>(it.on(node)) / it.engine.memory[node].bandwidth);
  return found;
}

TEST(memory_shares, of_any_machine_are_whole_and_never_slow_memory_down) {
  std::mt19937_64 random(7);
  const auto any = [&](double least, double most) { return std::uniform_real_distribution(least, most)(random); };
  int changed = 0;
  for (int machine = 0; machine < 3000; ++machine) {
    const auto workers = static_cast<std::uint32_t>(1 + random() % 40);
    std::vector<memory_node> nodes;
    for (std::uint32_t squad = 0; squad < (workers + 3) / 4; ++squad) {
      for (std::uint64_t more = random() % 3; more-- > 0;)
        nodes.push_back({.squad = random() % 9 == 0 ? none : squad,
                         .fast = more > 0,
                         .bandwidth = std::exp(any(0, 6)),
                         .rate = any(1, 30),
                         .far_rate = any(0.5, 20),
                         .far_bandwidth = std::exp(any(0, 6))});
    }
    if (nodes.empty()) continue;
    const shared it(workers, nodes);
    auto apart = nodes, doubled = nodes;
    for (memory_node& each : apart) each.far_rate = 0;
    for (memory_node& each : doubled) {
      for (double* rate : {&each.bandwidth, &each.rate, &each.far_rate, &each.far_bandwidth}) *rate *= 1024;
    }
    const shared without(workers, apart);
    EXPECT_EQ(nodes_of(it), nodes_of(shared(workers, doubled))) << "the unit matters";
    EXPECT_LE(slowest(it), slowest(without));
    if (nodes_of(it) == nodes_of(without)) continue;
    ++changed;
    for (worker_id each = 0; each < workers; ++each) {
      const std::uint32_t own = without.shares.node_of(each), now = it.shares.node_of(each);
      if (own == now) continue;
      ASSERT_LT(own, nodes.size()) << "it had no node";
      ASSERT_LT(now, nodes.size());
      EXPECT_NE(nodes[now].squad, none);
      EXPECT_NE(nodes[now].squad, each / 4);
    }
  }
  EXPECT_GT(changed, 300);
}

}  // namespace
