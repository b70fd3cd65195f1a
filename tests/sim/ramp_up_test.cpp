// How soon all workers have something to do when much becomes available while they sleep.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"

namespace jackdaw::sim {
namespace {

constexpr double serial = 2'000'000, leaf = 20'000;  // ns
constexpr unsigned leaves_of_a_worker = 256;

/// A leaf during which all but one go to sleep, then an even tree.
trace::task_tree sudden(unsigned leaves) {
  const auto part = [&](const auto& self, unsigned count) -> test::body {
    if (count == 1) return {test::compute(leaf)};
    return {test::invoke({{1, self(self, count / 2)}, {1, self(self, count - count / 2)}})};
  };
  test::body root{test::compute(serial)};
  for (test::step& each : part(part, leaves)) root.push_back(std::move(each));
  return test::record(root);
}

class ramp_up : public testing::TestWithParam<std::tuple<unsigned, std::string>> {};

/// A chain of wake-ups would take as many as there are workers.
TEST_P(ramp_up, takes_few_wake_ups_one_after_another) {
  const auto& [workers, scheduler] = GetParam();
  const machine_model machine = test::costly_machine(4, workers / 4);
  const test::story s =
      test::run_tree(sudden(workers * leaves_of_a_worker), machine, {.scheduler = scheduler, .seed = 3});
  std::vector<double> first(workers, HUGE_VAL);
  for (std::size_t leaf = 1; leaf < s.worker.size(); ++leaf) {
    first[s.worker[leaf]] = std::min(first[s.worker[leaf]], s.ended[leaf] - leaf);
  }
  const double took = *std::max_element(first.begin(), first.end()) - s.ended[0];
  std::printf("figure: %s, %u workers: %.0f us until all run\n", scheduler.c_str(), workers, took * 1e-3);
  EXPECT_GE(s.work.sleeps, workers - 1u);
  EXPECT_LE(took, 4 * std::log2(workers) * machine.cost.wake);
}

INSTANTIATE_TEST_SUITE_P(
    sim, ramp_up,
    testing::Combine(testing::Values(16u, 64u),
                     testing::Values("random", "hierarchical", "adws", "constrained", "cab", "laws", "bats")),
    [](const auto& each) { return std::get<1>(each.param) + "_" + std::to_string(std::get<0>(each.param)); });

}  // namespace
}  // namespace jackdaw::sim
