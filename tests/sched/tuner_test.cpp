#include "sched/tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace {

using jackdaw::sched::arrangement;
using jackdaw::sched::prospects;
using jackdaw::sched::tuner;
using curve = std::function<double(arrangement)>;
using how = arrangement::how;

constexpr arrangement spread{how::spread}, plain{how::plain};
constexpr arrangement packed(int step) { return {how::packed, step}; }
constexpr bool is_packed(arrangement of) { return of.what == how::packed; }
constexpr prospects all{.packing = true, .plain = true}, of_packing{.packing = true}, of_plain{.plain = true};

/// Iterates until the search has ended; returns what was tried, in order.
std::vector<arrangement> search(tuner& of, prospects seen, const curve& takes) {
  std::vector<arrangement> tried;
  while (!of.settled() && tried.size() < 100) {
    tried.push_back(of.next());
    of.record(takes(of.next()), seen);
  }
  EXPECT_EQ(of.iterations(), static_cast<int>(tried.size()));
  return tried;
}

TEST(tuner, spreads_tasks_and_tries_nothing_else_without_prospects) {
  tuner made(3, 3);
  EXPECT_EQ(search(made, {}, [](arrangement p) { return p == spread ? 100.0 : 1.0; }), std::vector(4, spread));
  EXPECT_EQ(made.next(), spread);
}

TEST(tuner, judges_prospects_by_an_iteration_that_found_what_its_like_left_in_caches) {
  tuner made(3, 3);
  EXPECT_TRUE(made.looks());
  made.record(100, all);
  EXPECT_EQ(made.next(), spread);
  EXPECT_TRUE(made.looks());
  made.record(100, {});
  EXPECT_FALSE(made.looks());
  EXPECT_EQ(made.next(), spread);
}

TEST(tuner, tries_only_what_has_prospects) {
  tuner packing(3, 3), stealing(3, 3);
  const auto packings = search(packing, of_packing, [](arrangement) { return 100.0; });
  EXPECT_EQ(std::count(packings.begin(), packings.end(), plain), 0);
  EXPECT_GE(std::count_if(packings.begin(), packings.end(), is_packed), 3);
  const auto stolen = search(stealing, of_plain, [](arrangement) { return 100.0; });
  EXPECT_EQ(std::count_if(stolen.begin(), stolen.end(), is_packed), 0);
  EXPECT_EQ(std::count(stolen.begin(), stolen.end(), plain), 1);
}

TEST(tuner, follows_the_papers_algorithm_among_packings) {
  tuner down(3, 5), up(5, 5);
  search(down, of_packing, [](arrangement p) {
    EXPECT_FALSE(is_packed(p) && p.step < 0);
    return is_packed(p) ? 100.0 - 10 * p.step : 120.0;
  });
  EXPECT_EQ(down.next(), packed(2)) << "at most two levels down";
  search(up, of_packing, [](arrangement p) { return is_packed(p) ? 100.0 + 10 * p.step : 120.0; });
  EXPECT_EQ(up.next(), packed(-3)) << "at most three levels up";
}

TEST(tuner, gives_up_packings_that_are_far_from_paying) {
  tuner made(5, 5);
  const auto tried = search(made, of_packing, [](arrangement p) { return is_packed(p) ? 120.0 + p.step : 100.0; });
  EXPECT_EQ(std::count_if(tried.begin(), tried.end(), is_packed), 2);
  EXPECT_EQ(tried.size(), 6u);
  EXPECT_EQ(made.next(), spread);
}

TEST(tuner, goes_on_with_packings_that_get_better_fast) {
  tuner made(5, 0);
  search(made, of_packing, [](arrangement p) { return is_packed(p) ? 400.0 / (1 << -p.step) : 100.0; });
  EXPECT_EQ(made.next(), packed(-3)) << "which takes half of the time without";
}

TEST(tuner, packs_only_where_that_pays) {
  tuner worse(3, 3), hardly_better(3, 3), better(3, 3);
  search(worse, all, [](arrangement p) { return is_packed(p) ? 100.0 : 90.0; });
  EXPECT_EQ(worse.next(), spread);
  search(hardly_better, all, [](arrangement p) { return is_packed(p) ? 99.0 : 100.0; });
  EXPECT_EQ(hardly_better.next(), spread);
  search(better, all, [](arrangement p) { return is_packed(p) ? 97.0 : 100.0; });
  EXPECT_TRUE(is_packed(better.next()));
}

TEST(tuner, steals_plainly_where_that_pays_and_lasts) {
  tuner worse(3, 3), hardly_better(3, 3), better(3, 3), for_once(3, 3);
  search(worse, all, [](arrangement p) { return p == plain ? 105.0 : 100.0; });
  EXPECT_EQ(worse.next(), spread);
  search(hardly_better, all, [](arrangement p) { return p == plain ? 96.0 : 100.0; });
  EXPECT_EQ(hardly_better.next(), spread);
  search(better, all, [](arrangement p) { return p == plain ? 90.0 : is_packed(p) ? 110.0 : 100.0; });
  EXPECT_EQ(better.next(), plain);
  // What did not last gives way to the next best, a packing.
  int stolen = 0;
  search(for_once, all, [&](arrangement p) {
    return p == plain ? (stolen++ == 0 ? 70.0 : 99.0) : p == packed(0) ? 80.0 : 100.0;
  });
  EXPECT_EQ(for_once.next(), packed(0));
}

TEST(tuner, settles_only_after_several_iterations_have_confirmed_the_choice_and_its_alternative) {
  tuner made(2, 0);
  // A packing that is good for once.
  int packings = 0;
  const auto tried =
      search(made, of_packing, [&](arrangement p) { return is_packed(p) ? (packings++ == 0 ? 80.0 : 99.0) : 100.0; });
  EXPECT_EQ(made.next(), spread);
  EXPECT_EQ(std::count(tried.begin(), tried.end(), packed(0)), 3) << "its median is worse by then";
  EXPECT_EQ(std::count(tried.begin(), tried.end(), spread), 4);
  // An alternative that had a bad beginning.
  tuner other(0, 0);
  int spreads = 0;
  search(other, of_packing, [&](arrangement p) { return p == spread ? (spreads++ < 2 ? 130.0 : 90.0) : 108.0; });
  EXPECT_EQ(other.next(), spread) << "two of four were bad";
}

TEST(tuner, ends_in_time_and_never_with_worse_than_it_began_with_whatever_the_times) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> ns(50, 150);
  for (int i = 0; i < 2000; ++i) {
    std::map<arrangement, double> times;
    const curve takes = [&](arrangement p) { return times.try_emplace(p, ns(random)).first->second; };
    tuner made(static_cast<int>(random() % 5), static_cast<int>(random() % 5));
    EXPECT_LE(search(made, {random() % 2 == 0, random() % 2 == 0}, takes).size(), 16u);
    EXPECT_LE(takes(made.next()), takes(spread));
  }
}

TEST(tuner, tells_when_times_change_for_good_but_not_for_a_while) {
  tuner made(2, 2);
  search(made, of_packing, [](arrangement p) { return p == packed(1) ? 80.0 : 100.0; });
  ASSERT_EQ(made.next(), packed(1));
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(made.record(80, {}));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(made.record(200, {}));
  EXPECT_FALSE(made.record(80, {}));
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(made.record(200, {}));
  EXPECT_TRUE(made.record(200, {}));
}

}  // namespace
