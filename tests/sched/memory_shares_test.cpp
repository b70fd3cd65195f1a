// Which memory node each worker works from, on a script's squads of four.
#include "sched/memory_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
