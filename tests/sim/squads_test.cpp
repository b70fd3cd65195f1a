// The rules of the schedulers that work by squads, on the logs of simulations.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/squad_log.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t kib = 1024;

/// Four sockets of four, whose shared cache holds four leaves of 64 KiB and a bit.
machine_model four_by_four() {
  machine_model m = test::costly_machine(4, 4);
  m.private_cache.size = 128 * kib;
  m.shared_cache.size = 320 * kib;
  return m;
}

struct logged_run {
  jackdaw::test::squad_log log;
  outcome came_to;
};

logged_run simulate_in_squads(const trace::task_tree& tree, const machine_model& machine, scenario what) {
  logged_run made;
  what.events = &made.log.events;
  made.came_to = simulate(tree, address_space(tree, machine), machine, what);
  for (unsigned socket = 0; socket < machine.sockets; ++socket) {
    const unsigned first = socket * machine.cores_per_socket;
    made.log.squads.push_back({.workers = {first, first + machine.cores_per_socket - 1}});
  }
  return made;
}

TEST(squads, laws_keeps_its_rules_and_spreads_what_no_packing_serves) {
  const trace::task_tree tree = test::update_repeatedly(10, 6, 64 * kib);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = "laws", .seed = seed});
    EXPECT_GE(made.log.expect_closed_squads_while_profiled(), 64u);
    made.log.expect_three_levels_in_order();
    const auto decided = made.log.iterations();
    EXPECT_EQ(made.log.expect_one_subtree_at_a_time(), 0u) << "leaves share nothing";
    EXPECT_GE(std::count(decided.begin(), decided.end(), "none"), 8) << "one plain iteration at most";
    EXPECT_LE(made.log.iterations_until_settled(), 6u);
  }
}

TEST(squads, laws_as_printed_packs_and_settles_in_time) {
  const trace::task_tree tree = test::update_repeatedly(16, 6, 64 * kib);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = "laws:paper", .seed = seed});
    EXPECT_GE(made.log.expect_one_subtree_at_a_time(), 16u);
    EXPECT_GE(made.log.expect_closed_squads_while_profiled(), 64u);
    made.log.expect_three_levels_in_order();
    const auto decided = made.log.iterations();
    ASSERT_EQ(decided.size(), 16u);
    EXPECT_EQ(decided[0], "profile");
    EXPECT_EQ(decided[1], "0");
    EXPECT_EQ(decided[2], "1");
    // The search has ended, and its answer stands.
    EXPECT_LE(made.log.iterations_until_settled(), 8u);
    for (std::size_t i = 8; i < decided.size(); ++i) EXPECT_EQ(decided[i], decided.back());
  }
}

TEST(squads, laws_with_a_step_packs_that_way_from_the_second_iteration_on) {
  const trace::task_tree tree = test::update_repeatedly(6, 6, 64 * kib);
  for (const std::string step : {"-1", "0", "1", "99"}) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = "laws:" + step});
    EXPECT_GE(made.log.expect_one_subtree_at_a_time(), 16u);
    made.log.expect_three_levels_in_order();
    EXPECT_EQ(made.log.iterations(), (std::vector<std::string>{"profile", step, step, step, step, step}));
  }
}

TEST(squads, data_that_one_thread_initialised_move_to_where_they_are_used) {
  // 16 MiB on one of four nodes.
  const trace::task_tree tree = test::update_repeatedly(24, 8, 64 * kib, 100);
  machine_model machine = four_by_four();
  machine.page = 64 * kib;  // moving a page costs the same, whatever its size
  for (const std::string scheduler : {"adws", "laws", "laws:nc"}) {
    const auto ran = [&](const std::string& placement) {
      return simulate_in_squads(tree, machine, {.scheduler = scheduler, .placement = placement}).came_to;
    };
    const outcome serial = ran("serial:1"), bound = ran("bind:1"), touched = ran("first-touch");
    EXPECT_GE(serial.balancing.moved, std::uint64_t{11} << 20) << scheduler;
    EXPECT_LE(serial.balancing.moved, std::uint64_t{13} << 20) << scheduler;
    EXPECT_EQ(bound.balancing.moved, 0u) << scheduler;
    EXPECT_EQ(touched.balancing.moved, 0u) << scheduler;
    EXPECT_LT(serial.time, 0.7 * bound.time) << scheduler;
    EXPECT_EQ(ran("interleave").balancing.moved, 0u) << scheduler;
  }
  EXPECT_EQ(
      simulate_in_squads(tree, machine, {.scheduler = "laws:paper", .placement = "serial:1"}).came_to.balancing.moved,
      0u);
}

/// 512 rows of 16 pages. A fill gives the first `part` pages of all rows a quarter of the workers, and the others the
/// rest of them; then `times` sweeps divide the rows.
trace::task_tree fill_columns_and_sweep_rows(std::uint64_t part, unsigned times) {
  constexpr std::uint64_t page = 4 * kib, row = 16 * page, first_row = 1 << 20;
  const auto rows = [](std::uint64_t first, std::uint64_t count, std::uint64_t from, std::uint64_t pages,
                       const auto& self) -> test::body {
    if (count <= 8) {
      const trace::access what{.address = first_row + first * row + from * page,
                               .length = pages * page,
                               .stride = row,
                               .rows = static_cast<std::uint32_t>(count),
                               .write = true};
      return {test::compute(100, {what})};
    }
    return {test::invoke({{-1, self(first, count / 2, from, pages, self)},
                          {-1, self(first + count / 2, count / 2, from, pages, self)}})};
  };
  test::body root{test::invoke({{1, rows(0, 512, 0, part, rows)}, {3, rows(0, 512, part, 16 - part, rows)}})};
  for (unsigned i = 0; i < times; ++i)
    for (test::step& each : rows(0, 512, 0, 16, rows)) root.push_back(std::move(each));
  return test::record(root);
}

TEST(squads, areas_that_lie_on_several_nodes_stay) {
  const auto moved = [](std::uint64_t part) {
    return simulate_in_squads(fill_columns_and_sweep_rows(part, 24), four_by_four(), {.scheduler = "adws:no-steal"})
        .came_to.balancing.moved;
  };
  EXPECT_EQ(moved(9), 0u);
  EXPECT_GT(moved(15), 0u);
}

/// Sixteen parts, each with eight leaves that all read the part's 256 KiB and 4 KiB of their own.
trace::task_tree share_parts(unsigned times) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    const auto leaves = [](std::uint64_t part, std::uint64_t first, std::uint64_t count,
                           const auto& self) -> test::body {
      if (count == 1) {
        return {test::compute(1000, {{.address = (1 + part) << 20, .length = 256 * kib},
                                     {.address = (64 << 20) + (8 * part + first) * 4 * kib, .length = 4 * kib}})};
      }
      return {test::invoke(
          {{-1, self(part, first, count / 2, self)}, {-1, self(part, first + count / 2, count / 2, self)}})};
    };
    const auto parts = [&](std::uint64_t first, std::uint64_t count, const auto& self) -> test::body {
      if (count == 1) return leaves(first, 0, 8, leaves);
      return {test::invoke({{-1, self(first, count / 2, self)}, {-1, self(first + count / 2, count / 2, self)}})};
    };
    for (test::step& each : parts(0, 16, parts)) root.push_back(std::move(each));
  }
  return test::record(root);
}

TEST(squads, laws_packs_parts_whose_data_several_workers_use) {
  machine_model machine = four_by_four();
  machine.private_cache.size = 16 * kib;
  const trace::task_tree tree = share_parts(20);
  const logged_run made = simulate_in_squads(tree, machine, {.scheduler = "laws"});
  const auto decided = made.log.iterations();
  EXPECT_EQ(decided[1], "none");
  EXPECT_EQ(decided[3], "0");
  EXPECT_NE(decided.back(), "none");
  EXPECT_NE(decided.back(), "plain");
  EXPECT_LT(made.came_to.time, 0.9 * simulate_in_squads(tree, machine, {.scheduler = "laws:nc"}).came_to.time);
}

TEST(squads, cab_and_cats_keep_theirs) {
  const trace::task_tree tree = test::update_repeatedly(6, 6, 64 * kib);
  const sched::settings told{.data = 64 * 64 * kib, .branching = 2};
  for (const std::string scheduler : {"cab", "cab:4", "cats"}) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = scheduler, .told = told});
    // 4 MiB in parts of 320 KiB: 16 subtrees, at level 5.
    EXPECT_EQ(made.log.expect_one_subtree_at_a_time(), scheduler == "cab:4" ? 6 * 8u
                                                       : scheduler == "cab" ? 6 * 16u
                                                                            : 5 * 16u);
    made.log.expect_closed_squads_while_profiled();
    made.log.expect_three_levels_in_order();
  }
}

TEST(squads, laws_without_packing_steals_elsewhere_only_what_its_own_squad_lacks) {
  const logged_run made =
      simulate_in_squads(test::update_repeatedly(6, 6, 64 * kib), four_by_four(), {.scheduler = "laws:nc"});
  EXPECT_EQ(made.log.expect_one_subtree_at_a_time(), 0u);
  made.log.expect_three_levels_in_order();
  EXPECT_EQ(made.log.iterations(), (std::vector<std::string>{"profile", "none", "none", "none", "none", "none"}));
}

TEST(squads, laws_keeps_memory_local_where_random_stealing_does_not) {
  const trace::task_tree tree = test::update_repeatedly(20, 7, 64 * kib);
  const auto local = [&](const std::string& scheduler) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = scheduler});
    return static_cast<double>(made.came_to.local_bytes) /
           static_cast<double>(made.came_to.local_bytes + made.came_to.remote_bytes);
  };
  EXPECT_GE(local("laws"), 0.95);
  EXPECT_LE(local("random"), 0.5);
}

TEST(squads, a_cpu_bound_region_is_stolen_plainly) {
  const trace::task_tree tree = test::update_repeatedly(4, 8, kib, 50000);
  for (const std::string scheduler : {"laws", "laws:nc", "cats", "cab"}) {
    const logged_run made = simulate_in_squads(tree, four_by_four(), {.scheduler = scheduler});
    const auto decided = made.log.iterations();
    ASSERT_EQ(decided.size(), 4u) << scheduler;
    EXPECT_EQ(decided[0], "profile");
    for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(decided[i], scheduler == "cab" ? "0" : "plain");
  }
}

std::ptrdiff_t placed(const logged_run& of) {
  return std::count_if(of.log.events.begin(), of.log.events.end(),
                       [](const sched::event& each) { return each.what == sched::event::kind::fork; });
}

TEST(squads, laws_places_few_tasks_of_a_cpu_bound_program_before_it_is_known_to_be_one) {
  // 8190 tasks below the root, of which each worker's first leaves tell: their ancestors have been placed by then.
  const logged_run made =
      simulate_in_squads(test::update_repeatedly(1, 12, kib, 50000), four_by_four(), {.scheduler = "laws"});
  EXPECT_LT(placed(made), 400);
}

TEST(squads, laws_profiles_no_finer_than_it_pays) {
  // As many tasks, of a memory-bound program whose leaves take 2 us or so: some are placed, and most are not.
  const logged_run made =
      simulate_in_squads(test::update_repeatedly(1, 12, 4 * kib, 100), four_by_four(), {.scheduler = "laws"});
  EXPECT_GT(placed(made), 400);
  EXPECT_LT(placed(made), 2500);
}

TEST(squads, another_tree_each_time_is_allocated_and_in_the_end_not_packed) {
  test::body root;
  for (unsigned i = 0; i < 24; ++i) {
    std::vector<test::branch> branches;
    for (unsigned part = 0; part < 2 + i % 3; ++part) {
      branches.push_back({-1, test::update(4, 1024 * kib * (1 + part), 64 * kib, 1000)});
    }
    root.push_back(test::invoke(std::move(branches)));
  }
  const logged_run made = simulate_in_squads(test::record(root), four_by_four(), {.scheduler = "laws"});
  const auto decided = made.log.iterations();
  EXPECT_LE(std::count(decided.begin(), decided.end(), "profile"), 3);
  // Which of the two is chance: they take equally long, and 5 of 7 seeds end with `plain`.
  EXPECT_TRUE(decided.back() == "none" || decided.back() == "plain") << decided.back();
}

TEST(squads, cab_learns_its_level_and_raises_one_that_leaves_work_to_heads) {
  const trace::task_tree tree = test::update_repeatedly(6, 4, 64 * kib);  // 16 leaves, at level 5
  // What is counted are misses, and leaves miss all that they touch: 1 MiB of 320 KiB, 2 branches, 4 squads.
  const logged_run learned = simulate_in_squads(tree, four_by_four(), {.scheduler = "cab"});
  EXPECT_EQ(learned.log.iterations(), (std::vector<std::string>{"profile", "3", "3", "3", "3", "3"}));
  const sched::settings told{.data = 64 << 20, .branching = 2};
  const logged_run absurd = simulate_in_squads(tree, four_by_four(), {.scheduler = "cab", .told = told});
  EXPECT_EQ(absurd.log.iterations(), (std::vector<std::string>{"9", "8", "7", "6", "5", "4"}));
  // Four leaves, at level 3: there is one for each squad, and nothing for the other workers.
  const logged_run tiny = simulate_in_squads(test::update_repeatedly(4, 2, 640 * kib), four_by_four(),
                                             {.scheduler = "cab", .told = {.data = 1, .branching = 2}});
  EXPECT_EQ(tiny.log.iterations(), (std::vector<std::string>{"3", "0", "0", "0"}));
}

TEST(squads, cab_hears_of_nothing_on_one_socket_or_without_a_boundary) {
  for (const auto& [sockets, scheduler] : {std::pair(1U, "cab"), std::pair(2U, "cab:0")}) {
    const logged_run made =
        simulate_in_squads(test::update_repeatedly(3, 5, 64 * kib), test::costly_machine(sockets, 4),
                           {.scheduler = scheduler, .told = {.data = 1 << 20, .branching = 2}});
    EXPECT_EQ(made.log.iterations(), std::vector<std::string>{}) << scheduler;
  }
}

}  // namespace
}  // namespace jackdaw::sim
