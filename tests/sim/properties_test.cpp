// Properties of every simulation: random programs under every scheduler on machines of all sizes. simulated::run itself
// checks that work is conserved, that all tasks have ended, and what memory and traffic check.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

#include "program.hpp"
#include "run_tree.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

/// The longest chain of work that has to be done one after another.
double span_of(const trace::task_tree& tree, std::uint32_t index) {
  const trace::task& task = tree.tasks[index];
  double now = 0;
  std::map<std::uint32_t, double> children;
  for (std::uint64_t i = task.first_op; i < task.first_op + task.ops; ++i) {
    const trace::op& step = tree.ops[i];
    switch (step.what) {
      case trace::op::kind::compute:
        now += step.amount;
        break;
      case trace::op::kind::fork:
        children[step.count] = std::max(children[step.count], now + span_of(tree, step.first));
        break;
      case trace::op::kind::wait:
        now = std::max(now, children[step.count]);
        break;
    }
  }
  return now;
}

double work_of(const trace::task_tree& tree) {
  double sum = 0;
  for (const trace::op& each : tree.ops) sum += each.what == trace::op::kind::compute ? each.amount : 0;
  return sum;
}

/// One link between two sockets, much of what happens costs something, and caches that data do not fit in.
machine_model two_sockets(unsigned cores) {
  machine_model m = test::costly_machine(2, (cores + 1) / 2);
  m.private_cache.size = 4 << 10;
  m.shared_cache.size = 16 << 10;
  m.overlap = 0.5;
  return m;
}

/// A ring of four, where little costs anything but moving data.
machine_model four_sockets(unsigned cores) {
  machine_model m = ring();
  m.cores_per_socket = (cores + 3) / 4;
  m.cost.look_local = 30;
  m.cost.look_remote = 90;
  m.overlap = 1;
  m.nodes[2].kind = machine_model::memory_kind::hbm;
  m.nodes[2].latency = 10;
  return m;
}

class programs : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 protected:
  const std::string scheduler = std::get<0>(GetParam());
  const unsigned workers = std::get<1>(GetParam());
};

TEST_P(programs, end_and_take_no_less_than_they_must) {
  unsigned differ = 0;
  for (std::uint64_t seed = 1; seed <= 6; seed += jackdaw::test::sanitized ? 3 : 1) {
    test::shape like{.depth = 4, .data = seed % 3 == 0 ? 0 : std::uint64_t{1} << (14 + seed)};
    like.interleaved = seed % 2 == 1;
    like.with_groups = seed % 4 != 3;
    const trace::task_tree tree = test::record(test::grower(seed, like).grow());
    for (const machine_model& machine : {two_sockets(workers), four_sockets(workers)}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " on " + std::to_string(machine.sockets) + " sockets");
      const std::string placement = seed % 2 == 0 ? "interleave" : "first-touch";
      const test::how how{.scheduler = scheduler, .workers = workers, .seed = seed, .placement = placement};
      const test::story first = test::run_tree(tree, machine, how);
      const double least = std::max(work_of(tree) / workers, span_of(tree, tree.roots[0].task));
      EXPECT_GE(first.time, least * (1 - 1e-9));
      EXPECT_NEAR(first.work.computing, work_of(tree), 1e-9 * work_of(tree));
      EXPECT_EQ(first.order.size(), first.worker.size());
      EXPECT_TRUE(std::ranges::all_of(first.worker, [&](unsigned each) { return each < workers; }));
      const std::uint64_t forks = std::ranges::count(tree.ops, trace::op::kind::fork, &trace::op::what);
      EXPECT_EQ(first.work.forks, forks);
      if (scheduler == "adws:no-steal") {
        for (std::size_t far = 1; far < first.work.steals.size(); ++far) EXPECT_EQ(first.work.steals[far], 0);
      }
      const test::story again = test::run_tree(tree, machine, how);
      EXPECT_TRUE(again == first);
      test::how other = how;
      other.seed += 1000;
      differ += test::run_tree(tree, machine, other) == first ? 0 : 1;
    }
  }
  // Without thieves, or with one victim each, no worker has a choice.
  const bool chooses = scheduler == "adws:no-steal" ? false : workers > 2;
  if (chooses) {
    EXPECT_GT(differ, 0);
  } else {
    EXPECT_EQ(differ, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(all, programs,
                         testing::Combine(testing::ValuesIn(sched::names()),
                                          testing::Values(1u, 2u, 3u, 7u, 16u, 64u)));

class flat_trees : public testing::TestWithParam<unsigned> {};

/// Leaves in a row, forked one by one or halved.
trace::task_tree leaves(unsigned count, bool halved, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto leaf = [&] { return test::body{test::compute(static_cast<double>(random() % 100'000))}; };
  const auto half = [&](const auto& self, unsigned many) -> test::body {
    if (many == 1) return leaf();
    return {test::invoke({{.does = self(self, many / 2)}, {.does = self(self, many - many / 2)}})};
  };
  if (halved) return test::record(half(half, count));
  test::body root;
  for (unsigned i = 0; i < count; ++i) root.push_back(test::fork(0, leaf()));
  root.push_back(test::wait(0));
  return test::record(root);
}

TEST_P(flat_trees, take_about_as_long_as_a_greedy_schedule) {
  const unsigned workers = GetParam();
  for (const bool halved : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const trace::task_tree tree = leaves(2000, halved, seed);
      const machine_model machine = two_sockets(workers);
      const test::story s = test::run_tree(tree, machine, {.workers = workers, .seed = seed});
      // A greedy schedule needs at most work / P + span; stealing finds work a little later than it is there.
      const double greedy = work_of(tree) / workers + span_of(tree, tree.roots[0].task);
      // What follows a fork in a row is stolen by one after another.
      const double in_turn = halved ? 0 : 2000 * 3 * machine.cost.steal_remote;
      EXPECT_LE(s.time, std::max(greedy * 1.1, in_turn) + 100'000) << "halved " << halved << ", seed " << seed;
      EXPECT_GE(s.time, work_of(tree) / workers);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, flat_trees, testing::Values(1u, 2u, 3u, 7u, 16u, 64u));

}  // namespace
}  // namespace jackdaw::sim
