// The promise of hints=learned and hints=both: after a few iterations a program is as fast without hints, or with wrong
// ones, as with the right ones, and a program whose shape changes all the time still ends as it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace learned_hints {
namespace {

constexpr unsigned workers = 8;
constexpr unsigned iterations = 8;

machine_model machine() { return test::costly_machine(2, workers / 2); }

/// What a program says of its children.
enum class hints : std::uint8_t { right, none, wrong };

double hint_for(hints how, double work, std::mt19937_64& random) {
  switch (how) {
    case hints::right:
      return work;
    case hints::none:
      return -1;
    case hints::wrong:
      return work * std::uniform_real_distribution(0.0, 2.0)(random);
  }
  return -1;
}

/// Divides leaves [begin, end) at a third; leaf i takes ns[i].
test::body uneven(const std::vector<double>& ns, std::size_t begin, std::size_t end, hints how,
                  std::mt19937_64& random) {
  if (end - begin == 1) return {test::compute(ns[begin])};
  const std::size_t middle = begin + std::max<std::size_t>(1, (end - begin) / 3);
  const auto work = [&](std::size_t from, std::size_t to) {
    return std::accumulate(ns.begin() + static_cast<std::ptrdiff_t>(from), ns.begin() + static_cast<std::ptrdiff_t>(to),
                           0.0);
  };
  const double left = hint_for(how, work(begin, middle), random), right = hint_for(how, work(middle, end), random);
  const double total = how == hints::none ? -1 : left + right;
  return {test::fork(0, uneven(ns, begin, middle, how, random), left, total),
          test::fork(0, uneven(ns, middle, end, how, random), right, total), test::wait(0)};
}

/// A program of several iterations, each of the same region.
trace::task_tree repeated(const std::function<test::body(unsigned)>& iteration, unsigned times = iterations) {
  test::body root;
  for (unsigned i = 0; i < times; ++i) {
    for (test::step& each : iteration(i)) root.push_back(std::move(each));
  }
  return test::record(root);
}

trace::task_tree skewed(hints how, unsigned times = iterations) {
  std::mt19937_64 random(5);
  std::vector<double> ns(512);
  for (std::size_t i = 0; i < ns.size(); ++i) ns[i] = 2000 + 100.0 * static_cast<double>(i);
  return repeated([&](unsigned) { return uneven(ns, 0, ns.size(), how, random); }, times);
}

/// The time of the iterations that `all` has and `first` has not.
double late(const trace::task_tree& all, const trace::task_tree& first, const char* scheduler) {
  const test::how by{.scheduler = scheduler};
  return test::run_tree(all, machine(), by).time - test::run_tree(first, machine(), by).time;
}

TEST(learned_hints, without_hints_it_is_within_5_percent_of_right_ones_after_5_iterations) {
  const double right = late(skewed(hints::right), skewed(hints::right, 5), "adws");
  for (const char* const how : {"adws:hints=learned", "adws:hints=both"})
    EXPECT_LT(late(skewed(hints::none), skewed(hints::none, 5), how), 1.05 * right) << how;
}

TEST(learned_hints, without_hints_and_steals_it_comes_near) {
  const double right = late(skewed(hints::right), skewed(hints::right, 5), "adws:no-steal");
  const double none = late(skewed(hints::none), skewed(hints::none, 5), "adws:no-steal");
  EXPECT_GT(none, 4 * right);
  // A boundary may be off by a tenth of a worker's part at each level.
  for (const char* const how : {"adws:no-steal:hints=learned", "adws:no-steal:hints=both"})
    EXPECT_LT(late(skewed(hints::none), skewed(hints::none, 5), how), 1.7 * right) << how;
}

TEST(learned_hints, wrong_hints_lose_less_than_a_fifth_of_what_they_did) {
  const auto lost = [](const char* scheduler) {
    return late(skewed(hints::wrong, 12), skewed(hints::wrong, 5), scheduler) -
           late(skewed(hints::right, 12), skewed(hints::right, 5), "adws:no-steal");
  };
  EXPECT_GT(lost("adws:no-steal"), 0);
  EXPECT_LT(lost("adws:no-steal:hints=both"), 0.2 * lost("adws:no-steal"));
}

TEST(learned_hints, right_hints_are_kept) {
  for (const std::string base : {"adws", "adws:no-steal"}) {
    const double given = test::run_tree(skewed(hints::right, 20), machine(), {.scheduler = base}).time;
    const double both = test::run_tree(skewed(hints::right, 20), machine(), {.scheduler = base + ":hints=both"}).time;
    EXPECT_LT(both, 1.02 * given) << base;
  }
}

TEST(learned_hints, a_leaf_across_two_workers_goes_to_one_of_them) {
  const trace::task_tree tree = repeated([](unsigned) -> test::body {
    return {test::invoke({{100, {test::compute(100'000)}}, {95, {test::compute(95'000)}}})};
  });
  const auto time = [&](const char* scheduler) {
    return test::run_tree(tree, test::costly_machine(1, 2), {.scheduler = scheduler}).time;
  };
  EXPECT_GT(time("adws"), iterations * 195'000);
  // The first iteration finds out.
  EXPECT_LT(time("adws:hints=both"), 1.02 * (195'000 + (iterations - 1) * 100'000));
}

TEST(learned_hints, a_leaf_that_begins_to_fork_is_divided_again) {
  const trace::task_tree tree = repeated(
      [](unsigned i) -> test::body {
        test::body first{test::compute(100'000)};
        if (i >= 4) {
          first.clear();
          for (int piece = 0; piece < 64; ++piece) first.push_back(test::fork(1, {test::compute(10'000)}));
          first.push_back(test::wait(1));
        }
        return {test::invoke({{100, first}, {95, {test::compute(95'000)}}})};
      },
      10);
  const test::story run = test::run_tree(tree, test::costly_machine(1, 2), {.scheduler = "adws:hints=both"});
  EXPECT_LT(run.time, 195'000 + 3 * 102'000 + 6 * 0.65 * 735'000);
}

TEST(learned_hints, the_same_seed_gives_the_same_run) {
  const trace::task_tree tree = skewed(hints::wrong);
  for (const char* const scheduler : {"adws:hints=learned", "adws:hints=both"})
    EXPECT_EQ(test::run_tree(tree, machine(), {.scheduler = scheduler, .seed = 9}),
              test::run_tree(tree, machine(), {.scheduler = scheduler, .seed = 9}));
}

TEST(learned_hints, programs_whose_shape_changes_all_the_time_end_and_lose_little) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const trace::task_tree tree = repeated([&](unsigned) {
      std::vector<double> ns(1 + random() % 300);
      for (double& each : ns) each = static_cast<double>(random() % 30'000);
      return uneven(ns, 0, ns.size(), seed % 2 == 0 ? hints::none : hints::wrong, random);
    });
    const double given = test::run_tree(tree, machine(), {.scheduler = "adws"}).time;
    for (const char* const scheduler : {"adws:hints=learned", "adws:hints=both"})
      EXPECT_LT(test::run_tree(tree, machine(), {.scheduler = scheduler}).time, 1.3 * given) << scheduler << seed;
  }
}

TEST(learned_hints, no_work_thousands_of_children_and_one_huge_child) {
  const trace::task_tree tree = repeated([](unsigned i) {
    test::body body;
    const unsigned children = i % 2 == 0 ? 6000 : 1;
    for (unsigned child = 0; child < children; ++child)
      body.push_back(test::fork(0, {test::compute(i % 3 == 0 ? 0 : child == 17 ? 1'000'000 : 500)}));
    body.push_back(test::wait(0));
    return body;
  });
  const double given = test::run_tree(tree, machine(), {.scheduler = "adws"}).time;
  for (const char* const scheduler : {"adws:hints=learned", "adws:hints=both", "adws:no-steal:hints=learned"})
    EXPECT_GT(test::run_tree(tree, machine(), {.scheduler = scheduler}).time, 0.5 * given) << scheduler;
}

}  // namespace
}  // namespace learned_hints
}  // namespace jackdaw::sim
