// ADWS's promise: leaves run where their place in the computation puts them, and stealing changes that only where it
// gains something.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

constexpr unsigned count = 4096;
constexpr double length = 50'000;  // ns of a leaf

/// An even binary tree of leaves, halved by invokes or by groups, all hints equal.
template <class Length>
trace::task_tree halved(bool groups, const Length& ns) {
  const auto part = [&](const auto& self, unsigned begin, unsigned end) -> test::body {
    if (end - begin == 1) return {test::compute(ns(begin))};
    const unsigned middle = begin + (end - begin) / 2;
    const test::branch left{1, self(self, begin, middle)};
    const test::branch right{1, self(self, middle, end)};
    if (!groups) return {test::invoke({left, right})};
    return {test::fork(0, left.does, 1, 2), test::fork(0, right.does, 1, 2), test::wait(0)};
  };
  return test::record(part(part, 0, count));
}

/// Four sockets; costs as on today's machines.
machine_model machine_for(unsigned workers) {
  return test::costly_machine(workers < 8 ? 1 : 4, workers < 8 ? workers : workers / 4);
}

/// Leaves that ran where they belong: in contiguous blocks, the last worker's first.
double in_place(const test::story& s, unsigned workers) {
  unsigned right = 0;
  for (unsigned i = 0; i < count; ++i) right += s.worker[i] == (count - 1 - i) * workers / count ? 1 : 0;
  return static_cast<double>(right) / count;
}

double idle(const test::story& s, unsigned workers) {
  return 1 - (s.work.computing + s.work.overhead) / (s.time * workers);
}

class even : public testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  const unsigned workers = std::get<0>(GetParam());
  const trace::task_tree tree = halved(std::get<1>(GetParam()), [](unsigned) { return length; });
  const double ideal = count * length / workers;

  test::story run(const char* scheduler) const {
    return test::run_tree(tree, machine_for(workers), {.scheduler = scheduler, .seed = 7});
  }
};

TEST_P(even, without_steals_all_leaves_run_where_they_belong) {
  const test::story s = run("adws:no-steal");
  EXPECT_EQ(in_place(s, workers), 1);
  EXPECT_LT(s.time, ideal * 1.02);
}

TEST_P(even, with_steals_nearly_all_leaves_run_where_they_belong) {
  const test::story s = run("adws");
  EXPECT_GE(in_place(s, workers), 0.99);
  EXPECT_LT(s.time, ideal * 1.02);
}

TEST_P(even, with_random_steals_leaves_run_anywhere) {
  const test::story s = run("random");
  EXPECT_LE(in_place(s, workers), 0.75);
  EXPECT_LT(s.time, ideal * 1.05);
}

INSTANTIATE_TEST_SUITE_P(all, even, testing::Combine(testing::Values(2u, 4u, 8u, 16u, 64u), testing::Bool()));

class uneven : public testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  const unsigned workers = std::get<0>(GetParam());
  const bool groups = std::get<1>(GetParam());

  /// Times of no-steal and adws, and the part of the time that adws leaves idle.
  template <class Length>
  void compare(const Length& ns, double gain, double most_idle) {
    const trace::task_tree tree = halved(groups, ns);
    const test::story fixed = test::run_tree(tree, machine_for(workers), {.scheduler = "adws:no-steal"});
    const test::story steals = test::run_tree(tree, machine_for(workers), {.scheduler = "adws"});
    EXPECT_EQ(in_place(fixed, workers), 1);
    EXPECT_LT(steals.time * gain, fixed.time);
    EXPECT_LT(idle(steals, workers), most_idle);
  }
};

TEST_P(uneven, the_idle_half_of_the_workers_takes_over_what_is_left_of_the_others) {
  compare([](unsigned i) { return i < count / 2 ? 3 * length : length; }, 1.4, 0.05);
  compare([](unsigned i) { return i < count / 2 ? length : 3 * length; }, 1.4, 0.05);
}

TEST_P(uneven, one_workers_part_that_takes_longer_is_shared) {
  compare([this](unsigned i) { return i < count / workers ? 3 * length : length; }, 1.4, 0.05);
  compare([this](unsigned i) { return i >= count - count / workers ? 3 * length : length; }, 1.4, 0.05);
}

INSTANTIATE_TEST_SUITE_P(all, uneven, testing::Combine(testing::Values(2u, 4u, 8u, 16u, 64u), testing::Bool()));

/// Every task of the upper tier belongs to the first worker, which gives one short leaf to each of the others and keeps
/// the long ones. A worker that got nothing but a leaf also knows its victims.
TEST(handed_leaves, make_thieves_of_workers_that_got_them) {
  constexpr unsigned workers = 8;
  std::vector<test::branch> many(4, {.does = {test::compute(length)}});
  test::body long_ones{test::invoke({{.does = {test::invoke(many)}},
                                     {.does = {test::invoke(many)}},
                                     {.does = {test::invoke(many)}},
                                     {.does = {test::invoke(many)}}})};
  test::body root;
  for (unsigned i = 1; i < workers; ++i) root.push_back(test::fork(0, {test::compute(100)}, 1, workers));
  root.push_back(test::fork(0, long_ones, 1, workers));
  root.push_back(test::wait(0));
  const trace::task_tree tree = test::record(root);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const test::story s = test::run_tree(tree, test::costly_machine(1, workers), {.scheduler = "adws", .seed = seed});
    std::vector<unsigned> ran(workers);
    for (std::size_t leaf = workers - 1; leaf < s.worker.size(); ++leaf) ++ran[s.worker[leaf]];
    EXPECT_TRUE(std::ranges::all_of(ran, [](unsigned each) { return each > 0; })) << "seed " << seed;
    EXPECT_LT(s.time, 4 * length) << "seed " << seed;
  }
}

}  // namespace
}  // namespace jackdaw::sim
