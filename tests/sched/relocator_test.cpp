// When data move to where they are used, on a script that says who uses them and how long iterations take.
#include "sched/relocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

constexpr std::uint64_t area_bytes = 1 << 20;

/// Four squads of four; sixteen areas of 1 MiB on the first node, four of which each squad uses.
class relocated : public testing::Test {
 protected:
  void SetUp() override {
    for (std::uint32_t i = 0; i < 16; ++i) {
      engine.areas.push_back({.node = 0, .heat = 100, .bytes = area_bytes, .user = i / 4, .used = 90});
    }
    data.start(engine);
  }
  /// Then all moves go to one squad, one after another.
  void let_the_last_use_all() {
    for (area& each : engine.areas) each.user = 3;
    engine.memory[3].bandwidth = 4;
  }
  std::uint32_t on_first() const {
    return static_cast<std::uint32_t>(
        std::count_if(engine.areas.begin(), engine.areas.end(), [](const area& each) { return each.node == 0; }));
  }
  /// An iteration of a program that the node with most areas bounds, beside what moving costs.
  void iterate(std::uint64_t site = 1) {
    const std::uint32_t before = on_first();
    data.begin(0, site);
    const double moved = before - on_first();
    engine.clock += std::max(per_area * on_first(), least) + cost * moved;
  }
  std::ptrdiff_t moves() const {
    return std::count(engine.decided.begin(), engine.decided.end(), relocator::decisions::relocate);
  }

  script engine{16, 4};
  relocator data;
  double per_area = 100, least = 0, cost = 50;  // ns
};

TEST_F(relocated, move_to_their_users_in_two_steps) {
  for (int i = 0; i < 4; ++i) iterate();
  EXPECT_EQ(engine.watches, 1u);
  EXPECT_EQ(on_first(), 13u) << "every fourth area that is used elsewhere";
  for (int i = 0; i < 2; ++i) iterate();
  EXPECT_EQ(on_first(), 4u);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(engine.areas[i].node, i / 4);
  for (int i = 0; i < 20; ++i) iterate();
  EXPECT_EQ(moves(), 2) << "once";
}

TEST_F(relocated, wait_until_the_iterations_so_far_would_have_repaid_the_rest) {
  cost = 800;
  for (int i = 0; i < 6; ++i) iterate();
  EXPECT_EQ(on_first(), 13u);
  // An area costs 800 ns and saves 100 in an iteration: due in the eighth of those that are counted.
  iterate();
  iterate();
  EXPECT_EQ(on_first(), 13u);
  iterate();
  EXPECT_EQ(on_first(), 4u);
}

TEST_F(relocated, wait_also_where_moving_takes_its_time_at_once) {
  let_the_last_use_all();
  cost = 0;
  engine.move_takes = 800;
  for (int i = 0; i < 8; ++i) iterate();
  EXPECT_EQ(on_first(), 12u) << "as in the simulation";
  iterate();
  EXPECT_EQ(on_first(), 0u);
}

TEST_F(relocated, tell_of_all_iterations_that_move_them) {
  std::vector<bool> told;
  for (int i = 0; i < 8; ++i) {
    const std::uint32_t before = on_first();
    iterate();
    if (on_first() != before) {
      EXPECT_TRUE(data.moves()) << i;
    }
    told.push_back(data.moves());
  }
  EXPECT_EQ(told, (std::vector<bool>{false, false, true, true, true, true, false, false}));
}

TEST_F(relocated, keep_a_program_waiting_for_a_few_iterations_at_most_for_a_trial) {
  engine.move_takes = 20'000;  // an iteration takes 1600
  let_the_last_use_all();
  for (int i = 0; i < 4; ++i) iterate();
  EXPECT_EQ(on_first(), 15u);
  EXPECT_TRUE(data.moves());
}

TEST_F(relocated, move_to_several_squads_in_the_time_of_one) {
  engine.move_takes = 20'000;
  for (int i = 0; i < 3; ++i) iterate();
  const double before = engine.clock;
  iterate();
  EXPECT_EQ(on_first(), 13u) << "one area to each";
  EXPECT_LT(engine.clock - before, 2 * engine.move_takes);
}

TEST_F(relocated, move_later_what_their_trial_left) {
  let_the_last_use_all();
  engine.move_takes = 8000;  // two of the four of a trial are made in the time of eight iterations
  cost = 0;
  for (int i = 0; i < 4; ++i) iterate();
  EXPECT_EQ(on_first(), 14u);
  engine.move_takes = 0;
  for (int i = 0; i < 100; ++i) iterate();
  EXPECT_EQ(on_first(), 0u);
  EXPECT_EQ(moves(), 2);
}

TEST_F(relocated, are_given_up_if_the_rest_takes_much_longer_than_its_part) {
  let_the_last_use_all();
  engine.move_takes = 500;
  cost = 0;
  for (int i = 0; i < 5; ++i) iterate();
  engine.move_takes = 10'000;
  for (int i = 0; i < 40; ++i) iterate();
  EXPECT_EQ(on_first(), 10u) << "as much as a trial may take, 8 x 1600 ns";
  EXPECT_EQ(moves(), 2);
}

TEST_F(relocated, count_the_time_of_all_regions_of_an_iteration) {
  for (int i = 0; i < 6; ++i) {
    iterate(1);
    data.begin(0, 2);  // a region that takes always the same time
    engine.clock += 10;
  }
  EXPECT_EQ(on_first(), 4u);
}

TEST_F(relocated, stay_if_moving_a_part_saves_nothing) {
  least = 2000;  // the cores compute for longer than memory takes
  for (int i = 0; i < 40; ++i) iterate();
  EXPECT_EQ(on_first(), 13u);
  EXPECT_EQ(moves(), 1);
}

TEST_F(relocated, stay_where_the_system_refuses_to_move_them) {
  engine.moves_data = false;
  for (int i = 0; i < 40; ++i) iterate();
  EXPECT_EQ(on_first(), 16u);
  EXPECT_EQ(moves(), 1);
  EXPECT_FALSE(data.moves());
}

TEST_F(relocated, stay_if_their_nodes_are_equally_loaded) {
  for (std::uint32_t i = 0; i < 16; ++i) engine.areas[i].node = i % 4;
  for (int i = 0; i < 10; ++i) iterate();
  EXPECT_EQ(moves(), 0);
}

TEST_F(relocated, stay_if_nobody_uses_most_of_them) {
  for (area& each : engine.areas) each.used = 40;
  for (int i = 0; i < 10; ++i) iterate();
  EXPECT_EQ(moves(), 0);
}

TEST_F(relocated, stay_if_the_caches_hold_them) {
  for (area& each : engine.areas) each.bytes = area_bytes / 4;
  for (int i = 0; i < 10; ++i) iterate();
  EXPECT_EQ(moves(), 0);
}

TEST_F(relocated, are_watched_for_an_iteration_of_the_whole_program) {
  iterate(7);  // an initialiser
  for (int i = 0; i < 2; ++i) {
    iterate(1);
    iterate(2);
  }
  EXPECT_EQ(engine.watches, 1u);
  EXPECT_FALSE(data.moves());
  iterate(1);
  EXPECT_TRUE(data.moves());
}

TEST_F(relocated, are_watched_anew_if_the_region_that_sets_the_pace_does_not_come_back) {
  for (int i = 0; i < 2; ++i) iterate(7);  // two arrays are initialised at one place
  EXPECT_EQ(engine.watches, 1u);
  for (int i = 0; i < 2; ++i) iterate(1);
  EXPECT_EQ(engine.watches, 1u);
  iterate(1);
  EXPECT_EQ(engine.watches, 2u) << "more often than the other";
  for (int i = 0; i < 6; ++i) iterate(1);
  EXPECT_EQ(on_first(), 4u);
  EXPECT_EQ(moves(), 2);
}

TEST_F(relocated, are_watched_anew_if_those_of_the_first_region_lay_well) {
  const std::vector<area> later = std::exchange(engine.areas, {});
  for (int i = 0; i < 20; ++i) iterate(7);  // fresh memory, which only its first user knows
  EXPECT_EQ(engine.watches, 1u);
  EXPECT_FALSE(data.moves());
  engine.areas = later;
  for (int i = 0; i < 20; ++i) iterate(1);
  EXPECT_EQ(engine.watches, 1u);
  for (int i = 0; i < 7; ++i) iterate(1);
  EXPECT_EQ(engine.watches, 2u);
  EXPECT_EQ(on_first(), 4u);
}

TEST_F(relocated, are_watched_once_if_regions_take_turns) {
  for (int i = 0; i < 40; ++i) {
    for (std::uint64_t site = 1; site < 50; ++site) iterate(site);
  }
  EXPECT_EQ(engine.watches, 1u);
  EXPECT_EQ(on_first(), 4u);
}

TEST_F(relocated, are_watched_once_if_a_loop_within_the_iteration_sets_the_pace) {
  for (int i = 0; i < 10; ++i) {
    iterate(1);
    for (int inner = 0; inner < 30; ++inner) iterate(2);
    iterate(3);
  }
  EXPECT_EQ(engine.watches, 1u);
  EXPECT_EQ(on_first(), 4u);
}

TEST_F(relocated, stay_if_no_region_comes_back_for_long) {
  for (std::uint64_t site = 0; site < 20; ++site) {
    for (int i = 0; i < 2; ++i) iterate(site);
    for (std::uint64_t other = 0; other < 64; ++other) iterate(1000 + 64 * site + other);
  }
  EXPECT_EQ(engine.watches, 4u);
  for (int i = 0; i < 8; ++i) iterate(1);
  EXPECT_EQ(moves(), 0);
}

/// The same squads, each with a fast node beside it: 4 to 7.
class relocated_by_shares : public relocated {
 protected:
  void SetUp() override {
    for (std::uint32_t squad = 0; squad < 4; ++squad)
      engine.memory.push_back({.squad = squad, .fast = true, .bandwidth = 3, .rate = 1});
    for (std::uint32_t node = 0; node < 4; ++node) engine.memory[node].rate = 0.5;
    for (std::uint32_t i = 0; i < 16; ++i) {
      engine.areas.push_back({.node = 0, .heat = 100, .bytes = area_bytes, .user = i / 4, .used = 90});
    }
    shares.start(engine);
    data.start(engine, &shares);
  }
  memory_shares shares;
};

TEST_F(relocated_by_shares, go_to_the_fast_nodes_of_their_users) {
  for (int i = 0; i < 10; ++i) iterate();
  EXPECT_EQ(moves(), 2);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(engine.areas[i].node, 4 + i / 4);
}

TEST_F(relocated_by_shares, go_to_all_squads_in_turn_if_all_use_them) {
  for (area& each : engine.areas) each.used = 30;
  for (int i = 0; i < 10; ++i) iterate();
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(engine.areas[i].node, 4 + i % 4);
}

TEST_F(relocated_by_shares, move_when_that_is_cheap_though_times_do_not_tell) {
  least = 10'000;  // of an iteration: nothing that moves makes it shorter
  cost = 500;
  for (int i = 0; i < 18; ++i) iterate();
  EXPECT_EQ(on_first(), 12u);
  // The other twelve take 6000 ns: three hundredths of 20 iterations.
  for (int i = 0; i < 20; ++i) iterate();
  EXPECT_EQ(on_first(), 0u);
}

TEST_F(relocated_by_shares, move_when_that_is_cheap_though_a_disturbed_trial_seems_to_lose) {
  least = 10'000;
  cost = 0;
  engine.move_takes = 500;
  for (int i = 0; i < 4; ++i) iterate();
  engine.clock += 1e6;  // something else runs, during the trial's second iteration
  for (int i = 0; i < 2; ++i) iterate();
  EXPECT_EQ(on_first(), 0u) << "that makes three hundredths of the time enough";
}

TEST_F(relocated_by_shares, stay_if_the_trial_loses) {
  for (int i = 0; i < 1000; ++i) {
    data.begin(0, 1);
    engine.clock += 10'000 + 500.0 * (16 - on_first());
  }
  EXPECT_EQ(on_first(), 12u);
}

TEST_F(relocated_by_shares, are_tried_again_if_a_disturbed_trial_was_cut_short) {
  least = 10'000;
  cost = 0;
  engine.move_takes = 100'000;  // something else has the processors: one of four is moved in eight iterations' time
  for (area& each : engine.areas) each.user = 3;
  for (int i = 0; i < 4; ++i) iterate();
  EXPECT_EQ(on_first(), 15u);
  engine.move_takes = 1000;
  for (int i = 0; i < 200; ++i) iterate();
  EXPECT_EQ(on_first(), 15u) << "as far as that trial tells, the rest takes as long as 150 iterations";
  for (int i = 0; i < 100; ++i) iterate();
  EXPECT_EQ(on_first(), 0u);
  EXPECT_EQ(moves(), 3);
}

TEST_F(relocated_by_shares, are_watched_again_if_they_seemed_to_be_where_they_are_used) {
  for (area& each : engine.areas) each.node = 4;  // the fast node of the first squad,
  for (area& each : engine.areas) each.user = 0;  // which has all tasks while the others are held up
  const auto on_fourth = [&] {
    return std::ranges::count_if(engine.areas, [](const area& each) { return each.node == 4; });
  };
  const auto iterate_so = [&](int times) {
    for (int i = 0; i < times; ++i) {
      data.begin(0, 1);
      engine.clock += per_area * static_cast<double>(on_fourth());
    }
  };
  iterate_so(3);
  EXPECT_EQ(engine.watches, 1u);
  for (std::uint32_t i = 0; i < 16; ++i) engine.areas[i].user = i / 4;
  iterate_so(20);
  EXPECT_EQ(engine.watches, 2u);
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(engine.areas[i].node, 4 + i / 4);
}

TEST_F(relocated_by_shares, are_watched_ever_more_seldom_if_they_stay) {
  for (std::uint32_t i = 0; i < 16; ++i) engine.areas[i].node = 4 + i / 4;
  for (int i = 0; i < 10'000; ++i) iterate();
  EXPECT_EQ(moves(), 0);
  EXPECT_GE(engine.watches, 4u);
  EXPECT_LE(engine.watches, 6u);
}

TEST_F(relocated_by_shares, tell_whether_the_program_says_what_it_uses) {
  const std::vector<area> declared = engine.areas;
  engine.areas.clear();
  EXPECT_FALSE(data.saw_none()) << "not known yet";
  for (int i = 0; i < 3; ++i) iterate();
  EXPECT_TRUE(data.saw_none());
  engine.areas = declared;
  for (int i = 0; i < 20; ++i) iterate();
  EXPECT_FALSE(data.saw_none()) << "it was watched again";
}

TEST(relocator, needs_several_nodes_and_squads) {
  for (const auto& [workers, nodes] : {std::pair(16u, 1u), std::pair(4u, 4u)}) {
    script engine(workers, nodes);
    relocator data;
    data.start(engine);
    for (int i = 0; i < 4; ++i) data.begin(0, 1);
    EXPECT_EQ(engine.watches, 0u);
  }
}

}  // namespace
