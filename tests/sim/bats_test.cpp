// BATS on a Knights Landing with a quarter of its cores and bandwidth.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "machine/model.hpp"
#include "program.hpp"
#include "sched/bats_log.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t base = 1 << 30;
constexpr unsigned levels = 10;  // 1024 leaves
constexpr std::uint64_t leaf_bytes = 8 * kib;

machine_model small_knights_landing() {
  machine_model m = load_machine_model("knl-snc4");
  m.cores_per_socket = 4;
  m.private_cache.size = 16 * kib;
  for (machine_model::memory_node& each : m.nodes) each.bandwidth /= 4;
  return m;
}

/// Leaves from `first` on that each update their own part; `hot` times each one also reads one of the first 64 parts.
test::body sweep(unsigned depth, std::uint64_t first, unsigned hot) {
  if (depth == 0) {
    const std::uint64_t own = base + first * leaf_bytes;
    std::vector<trace::access> touched = {{.address = own, .length = leaf_bytes},
                                          {.address = own, .length = leaf_bytes, .write = true}};
    for (unsigned i = 0; i < hot; ++i) {
      touched.push_back({.address = base + (first * 7 + i) % 64 * leaf_bytes, .length = leaf_bytes});
    }
    return {test::compute(100, std::move(touched))};
  }
  const std::uint64_t half = first + (std::uint64_t{1} << (depth - 1));
  return {test::invoke({{-1, sweep(depth - 1, first, hot)}, {-1, sweep(depth - 1, half, hot)}})};
}

/// The first iteration touches, and has no hot part.
trace::task_tree iterate(unsigned times, unsigned hot = 0) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    for (test::step& each : sweep(levels, 0, i == 0 ? 0 : hot)) root.push_back(std::move(each));
  }
  return test::record(root);
}

struct run {
  jackdaw::test::bats_log log;
  outcome came_to;
};

run simulate_logged(const trace::task_tree& tree, const machine_model& machine, scenario what) {
  run made;
  what.events = &made.log.events;
  made.came_to = simulate(tree, address_space(tree, machine), machine, what);
  for (unsigned socket = 0; socket < machine.sockets; ++socket) {
    const unsigned first = socket * machine.cores_per_socket;
    made.log.squads.push_back({.workers = {first, first + machine.cores_per_socket - 1}});
  }
  return made;
}

double hbm_to_dram(const outcome& of) {
  double dram = 0, hbm = 0;
  for (std::size_t node = 0; node < 8; ++node) {
    (node < 4 ? dram : hbm) += static_cast<double>(of.data.from_node[node]);
  }
  return hbm / dram;
}

double local_part(const outcome& of) {
  return static_cast<double>(of.local_bytes) / static_cast<double>(of.local_bytes + of.remote_bytes);
}

TEST(bats, keeps_its_rules) {
  const trace::task_tree tree = iterate(12);
  for (const sched::node_sequence order : {sched::node_sequence::apart, sched::node_sequence::adjacent}) {
    const run made = simulate_logged(tree, small_knights_landing(), {.scheduler = "bats", .told = {.order = order}});
    EXPECT_GE(made.log.expect_closed_squads_while_exploring(), 32u);
    const std::vector<std::size_t> taken = made.log.expect_five_levels_in_order();
    EXPECT_GE(taken[0], 32u);
    const std::vector<std::string> decided = made.log.iterations();
    ASSERT_EQ(decided.size(), 12u);
    EXPECT_EQ(decided[0], "distribute");
    EXPECT_EQ(decided[1], "distribute");  // watched
    EXPECT_EQ(decided[2], "distribute");  // and once more
    EXPECT_EQ(decided[3], "explore");
    EXPECT_LE(std::count(decided.begin(), decided.end(), "explore"), 4);
    EXPECT_EQ(decided[7], "localise");
    EXPECT_EQ(decided[11], "localise");
  }
}

TEST(bats, as_printed_watches_once_tries_all_squads_and_steals_in_the_papers_order) {
  const trace::task_tree tree = iterate(12);
  run made = simulate_logged(tree, small_knights_landing(), {.scheduler = "bats:paper"});
  made.log.squad_first = true;
  const std::size_t tried = made.log.expect_closed_squads_while_exploring();
  made.log.expect_five_levels_in_order();
  const std::vector<std::string> decided = made.log.iterations();
  ASSERT_EQ(decided.size(), 12u);
  EXPECT_EQ(decided[1], "distribute");  // watched
  const auto explored = static_cast<std::size_t>(std::count(decided.begin(), decided.end(), "explore"));
  EXPECT_EQ(decided[2], "explore");
  EXPECT_LE(explored, 4u);
  EXPECT_EQ(decided[11], "localise");
  // Ten tasks for each of four cores: subtrees of 63 tasks, of which 2047 make 32.
  EXPECT_EQ(tried, 32 * explored);
  // An initialiser and a region that computes: the paper does not ask whether data matter.
  test::body root;
  for (unsigned i = 0; i < 10; ++i)
    root.push_back(test::invoke({{-1, {test::compute(1e6)}}, {-1, {test::compute(1e6)}}}));
  EXPECT_EQ(
      simulate_logged(test::record(root), small_knights_landing(), {.scheduler = "bats:paper"}).log.iterations().back(),
      "localise");
}

TEST(bats, balances_even_heat_by_placement_alone_and_keeps_it_local) {
  const trace::task_tree tree = iterate(16);
  machine_model machine = small_knights_landing();
  machine.cost.turn_local = machine.cost.turn_remote = 0;  // where data are is compared; leaves are too small for pools
  const outcome bats = simulate_logged(tree, machine, {.scheduler = "bats"}).came_to;
  EXPECT_NEAR(hbm_to_dram(bats), 4.27, 0.4);
  EXPECT_GE(local_part(bats), 0.95);
  const outcome random = simulate_logged(tree, machine, {.scheduler = "random"}).came_to;
  EXPECT_LE(local_part(random), 0.5);
  EXPECT_LE(bats.time, 0.45 * random.time);
  const outcome nb = simulate_logged(tree, machine, {.scheduler = "bats:nb"}).came_to;
  EXPECT_NEAR(nb.time / bats.time, 1, 0.1);
  EXPECT_EQ(nb.balancing.sampled, 0u);
}

TEST(bats, moves_hot_data) {
  const trace::task_tree tree = iterate(16, 2);
  const machine_model machine = small_knights_landing();
  const run bats = simulate_logged(tree, machine, {.scheduler = "bats"});
  const run nb = simulate_logged(tree, machine, {.scheduler = "bats:nb"});
  EXPECT_GT(bats.log.moved(), 100 * kib);
  EXPECT_EQ(bats.log.moved(), bats.came_to.balancing.moved);
  EXPECT_GT(bats.came_to.balancing.moving, 0);
  EXPECT_EQ(nb.log.moved(), 0u);
  EXPECT_GE(nb.came_to.time, 1.5 * bats.came_to.time);
  EXPECT_NEAR(hbm_to_dram(bats.came_to), 4.27, 1);
  bats.log.expect_five_levels_in_order();
}

TEST(bats, has_a_worker_of_each_squad_move_data_to_it) {
  const trace::task_tree tree = iterate(10, 1);
  const machine_model machine = small_knights_landing();
  const auto ran = [&](unsigned workers) {
    return simulate_logged(tree, machine,
                           {.scheduler = "bats", .placement = "serial:0", .workers = workers, .scatter = false})
        .came_to;
  };
  const auto ns_a_byte = [&](const outcome& of) {
    return of.balancing.moving / static_cast<double>(of.balancing.moved);
  };
  const outcome all = ran(16), one_squad = ran(4);
  EXPECT_GT(all.balancing.moved, 4096 * kib);
  EXPECT_GT(one_squad.balancing.moved, 4096 * kib);
  EXPECT_GT(ns_a_byte(one_squad), balancing_cost::remap / machine.page) << "there is nobody else";
  EXPECT_LT(ns_a_byte(all), 0.6 * ns_a_byte(one_squad));
  const outcome again = ran(16);
  EXPECT_EQ(all.time, again.time);
  EXPECT_EQ(all.balancing.moving, again.balancing.moving);
}

TEST(bats, runs_with_more_data_than_hbm_and_with_no_hbm) {
  const trace::task_tree tree = iterate(10, 1);
  machine_model machine = small_knights_landing();
  for (std::size_t node = 4; node < 8; ++node) machine.nodes[node].capacity = 1024 * kib;
  const run made = simulate_logged(tree, machine, {.scheduler = "bats"});
  EXPECT_EQ(made.log.iterations().back(), "localise");
  EXPECT_GT(made.came_to.data.from_node[4], 0u);
  EXPECT_EQ(
      simulate_logged(tree, machine, {.scheduler = "bats", .placement = "first-touch:dram"}).came_to.data.from_node[4],
      0u);
}

TEST(bats, ablations_omit_the_parts_that_they_name) {
  const trace::task_tree tree = iterate(10, 1);
  const machine_model machine = small_knights_landing();
  const auto ran = [&](const std::string& name) { return simulate_logged(tree, machine, {.scheduler = name}); };
  for (const std::string name : {"bats:nl", "bats:h", "bats:b"}) {
    const auto decided = ran(name).log.iterations();
    EXPECT_EQ(decided.back(), "plain") << name;
    EXPECT_EQ(std::count(decided.begin(), decided.end(), "explore"), 0) << name;
  }
  EXPECT_EQ(ran("bats:h").came_to.balancing.sampled, 0u);
  EXPECT_EQ(ran("bats:l").came_to.balancing.sampled, 0u);
  EXPECT_GT(ran("bats:b").came_to.balancing.sampled, 0u);
  // Half of evenly placed data are on DRAM.
  EXPECT_LE(hbm_to_dram(ran("bats:l").came_to), 1.5);
  EXPECT_GT(ran("bats:nh").log.moved(), 1024 * kib);
}

TEST(bats, steals_a_cpu_bound_region_plainly_and_gives_up_on_another_tree_each_time) {
  test::body root;
  for (unsigned i = 0; i < 4; ++i)
    root.push_back(test::invoke({{-1, {test::compute(1e6)}}, {-1, {test::compute(1e6)}}}));
  const machine_model machine = small_knights_landing();
  EXPECT_EQ(simulate_logged(test::record(root), machine, {.scheduler = "bats"}).log.iterations().back(), "plain");
  test::body changing;
  for (unsigned i = 0; i < 20; ++i) {
    std::vector<test::branch> branches;
    for (unsigned part = 0; part < 2 + i % 3; ++part) branches.push_back({-1, sweep(4, 64 * part, 1)});
    changing.push_back(test::invoke(std::move(branches)));
  }
  EXPECT_EQ(simulate_logged(test::record(changing), machine, {.scheduler = "bats"}).log.iterations().back(), "plain");
}

}  // namespace
}  // namespace jackdaw::sim
