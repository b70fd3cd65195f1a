// How regions that take turns are searched together, on times that a test makes up.
#include "sched/region_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace jackdaw::sched;

/// A program whose regions are letters. They run by hints unless the set tries or has found something else.
struct played_set {
  /// Returns the time of an iteration of a region in a way, if the one before it ran in that other way.
  std::function<double(char, way, way)> took = [](char, way, way) { return 100.0; };
  idleness seen{.all = 0.5, .uneven = 0.3};

  region_set set = {};
  std::map<char, region_set::member> members = {};
  std::map<char, way> ways = {};
  way last = way::hints;
  int tried = 0, held = 0, found = 0, looked = 0;
  region_set::finding last_found = {};

  void run(std::string_view program, int times = 1) {
    for (int i = 0; i < times; ++i) {
      for (const char each : program) iterate(each);
    }
  }
  void iterate(char region, bool disturbed = false, bool alone = false) {
    region_set::member& it = members[region];
    if (const auto all = set.begin(it)) {
      ++found;
      last_found = *all;
      for (auto& [name, member] : members) {
        if (set.has(member)) ways[name] = all->how;
      }
    }
    const way how = set.tries().value_or(ways[region]);
    tried += set.tries() ? 1 : 0;
    held += set.searches() ? 1 : 0;
    looked += set.looks() ? 1 : 0;
    const double time = took(region, how, last);
    last = how;
    if (disturbed) return set.disturb();
    set.end(it, time, set.looks() ? seen : idleness{}, alone);
  }
};

/// It takes long to find data where a region in another way has put them, and times save something.
double sharing(char, way how, way before) { return how != before ? 140 : how == way::times ? 70 : 100; }

TEST(region_set, finds_a_way_that_pays_only_if_all_regions_take_it) {
  played_set it{.took = sharing};
  it.run("AB", 100);
  EXPECT_EQ(it.ways['A'], way::times);
  EXPECT_EQ(it.ways['B'], way::times);
  EXPECT_EQ(it.found, 1);
  EXPECT_NEAR(it.last_found.saves, 0.3, 1e-9);
  EXPECT_LE(it.held, 2 * 24) << "regions wait for it no longer than it takes";
}

TEST(region_set, has_nothing_to_do_with_a_program_of_one_region) {
  played_set it{.took = sharing};
  it.run("A", 500);
  EXPECT_EQ(it.tried + it.held + it.looked, 0);
}

TEST(region_set, does_not_wait_for_a_region_that_runs_once) {
  played_set it{.took = sharing};
  it.run("IJ");
  it.run("AB", 100);
  EXPECT_EQ(it.ways['A'], way::times);
  EXPECT_EQ(it.ways['I'], way::hints) << "not of the set";
}

TEST(region_set, counts_the_time_of_all) {
  played_set it{.took = [](char region, way how, way) {
    return how == way::hints ? 100.0 : region == 'A' ? 60.0 : 150.0;
  }};
  it.run("AB", 200);
  EXPECT_EQ(it.found, 0);
  played_set more{.took = it.took};
  more.run("AAAB", 200);
  EXPECT_EQ(more.ways['B'], way::times) << "three that gain, and one that loses";
}

TEST(region_set, compares_rounds_in_which_regions_run_more_or_less_often) {
  std::mt19937_64 random(5);
  for (const bool better : {true, false}) {
    played_set it{.took = [&](char, way how, way) { return how == way::hints ? 100 : better ? 70 : 110; }};
    for (int i = 0; i < 100; ++i) {
      it.run("A", 1 + static_cast<int>(random() % 9));
      it.run("B");
    }
    EXPECT_EQ(it.ways['A'], better ? way::times : way::hints);
  }
}

TEST(region_set, tries_nothing_where_workers_are_busy) {
  played_set it{.took = sharing, .seen = {.all = 0.04, .uneven = 0.04}};
  it.run("ABC", 200);
  EXPECT_EQ(it.tried, 0);
  EXPECT_LE(it.held, 3 * 7);
}

TEST(region_set, ends_a_bad_trial_at_once) {
  played_set it{.took = [](char, way how, way) { return how == way::hints ? 100.0 : 200.0; }};
  it.run("AB", 90);
  EXPECT_EQ(it.tried, 2) << "one round";
}

TEST(region_set, lets_regions_go_on_when_rounds_do_not_end) {
  for (const char* const next : {"C", "CD", "B"}) {
    played_set it{.took = sharing};
    it.run("AB", 5);
    it.run(next, 64);
    const int before = it.held;
    it.run(next, 500);
    EXPECT_LE(it.held - before, 2 * 24) << next;
  }
  played_set rare{.took = sharing};
  for (int i = 0; i < 100; ++i) {
    rare.run("A", 100);
    rare.run("B");
  }
  EXPECT_LE(rare.held, 4 * 128);
}

TEST(region_set, gives_up_when_rounds_do_not_count) {
  played_set it{.took = sharing};
  for (int i = 0; i < 1000; ++i) {
    it.iterate('A', i % 4 == 0);
    it.iterate('B', false, i % 4 == 2);
  }
  EXPECT_LE(it.held, 2 * 200);
  EXPECT_FALSE(it.set.searches());
}

TEST(region_set, does_not_flap_where_loads_come_and_go) {
  played_set it;
  int phase = 0;
  it.took = [&](char, way how, way) { return (how == way::times) == (phase % 2 == 0) ? 100.0 : 1000.0; };
  for (; phase < 100; ++phase) it.run("AB", 50);
  EXPECT_LE(it.found, 6);
  EXPECT_LE(it.held, 100 * 50);
}

TEST(region_set, searches_again_when_the_program_changes) {
  played_set it{.took = sharing, .seen = {.all = 0.01, .uneven = 0.01}};
  it.run("AB", 100);
  EXPECT_EQ(it.tried, 0);
  it.seen = {.all = 0.5, .uneven = 0.3};
  it.took = [](char region, way how, way before) { return 3 * sharing(region, how, before); };
  it.run("AB", 100);
  EXPECT_EQ(it.ways['A'], way::times);
}

TEST(region_set, takes_back_what_a_region_has_found_alone_at_the_cost_of_others) {
  for (const bool costs : {true, false}) {
    played_set it{.took = [&](char region, way how, way before) {
      if (how == before) return 100.0;
      return region == 'A' ? 80.0 : costs ? 150.0 : 101.0;
    }};
    it.seen = {};
    it.run("AB", 50);
    it.ways['A'] = way::plain;
    it.set.doubt();
    it.run("AB", 60);
    EXPECT_EQ(it.ways['A'], costs ? way::hints : way::plain);
    EXPECT_EQ(it.found, costs ? 1 : 0);
    EXPECT_EQ(it.last_found.final, costs) << "it would find the same again";
    EXPECT_FALSE(it.set.searches());
  }
}

TEST(region_set, doubts_a_few_times_only) {
  played_set it;
  it.run("AB", 50);
  for (int i = 0; i < 100; ++i) {
    it.set.doubt();
    it.run("AB", 5);
  }
  const int before = it.held;
  it.run("AB", 500);
  EXPECT_LE(it.held - before, 2 * 200);
  EXPECT_FALSE(it.set.searches());
}

TEST(region_set, leaves_plain_stealing_to_each_region) {
  played_set it{.took = [](char, way how, way) { return how == way::plain ? 50.0 : 100.0; }};
  it.run("AB", 500);
  EXPECT_EQ(it.found, 0);
}

TEST(region_set, is_seldom_misled_by_noise) {
  std::mt19937_64 random(7);
  int misled = 0, found = 0;
  for (int i = 0; i < 1000; ++i) {
    std::normal_distribution noise(0.0, 0.1);
    played_set alike{.took = [&](char, way, way) { return 100 * std::exp(noise(random)); }};
    alike.run("AB", 100);
    misled += alike.found;
    played_set saves{
        .took = [&](char, way how, way) { return (how == way::times ? 75 : 100) * std::exp(noise(random)); }};
    saves.run("AB", 100);
    found += saves.ways['A'] == way::times ? 1 : 0;
  }
  EXPECT_LE(misled, 50);
  EXPECT_GE(found, 950);
}

TEST(region_set, stands_times_of_nothing) {
  played_set it{.took = [](char, way, way) { return 0.0; }};
  it.run("AB", 500);
  EXPECT_EQ(it.found, 0);
}

}  // namespace
