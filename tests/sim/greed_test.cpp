// No worker is idle for long while a task waits anywhere that could run: the bound of docs/schedulers.md, under every
// scheduler that has one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"
#include "run_tree.hpp"
#include "sched/vigil.hpp"
#include "sim/greed_meter.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

using sched::scheduler;
using test::body;
using test::compute;

constexpr double ms = 1e6, second = 1e9;
using programs_by_name = std::map<std::string, std::vector<body>>;

/// Forks the same twice in each iteration, so that schedulers which learn in the first one have learned.
body iterate(const body& once, unsigned times) {
  body root;
  for (unsigned i = 0; i < times; ++i) {
    root.push_back(test::invoke({{.hint = 1, .does = once}, {.hint = 1, .does = once}}));
  }
  return root;
}

/// Forty equal children of 20 ms. The hints say that the first one is `first`, and each of the others `other`. The task
/// computes before it waits for them, so that its worker is busy while they lie in its deque or wait elsewhere.
body flat(double first, double other, bool help_first, bool inter, double computes) {
  body made;
  for (unsigned i = 0; i < 40; ++i) {
    const body child{compute(10 * ms), test::invoke({{1, {compute(5 * ms)}}, {1, {compute(5 * ms)}}})};
    test::step forked = test::fork(0, child, i == 0 ? first : other);
    forked.help_first = help_first;
    forked.inter = inter;
    made.push_back(std::move(forked));
  }
  made.push_back(compute(computes));
  made.push_back(test::wait(0));
  return made;
}

/// Halves down to leaves. The hints say that there is no work in them, and that a child without work has it all.
body lopsided(unsigned depth, double leaf) {
  if (depth == 0) return {compute(leaf)};
  return {test::invoke({{1, {compute(1000)}}, {0, lopsided(depth - 1, leaf)}, {0, lopsided(depth - 1, leaf)}})};
}

/// Random trees with leaves of up to 20 us, one root or several, and with leaves of up to a second.
void add_random(programs_by_name& to, std::uint64_t seed) {
  test::shape like{.depth = 4, .data = seed % 3 == 0 ? std::uint64_t{1} << 18 : 0};
  like.interleaved = seed % 2 == 1;
  like.marks = seed % 3 == 1;
  const auto grow = [&](std::uint64_t more) { return test::grower(seed + more, like).grow(); };
  const std::string name = "tree " + std::to_string(seed);
  to[name] = {iterate(grow(0), 6)};
  to[name + " and others"] = {grow(0), grow(50), iterate(grow(100), 3)};
  like.longest = 1'000'000'000;
  like.depth = 3;
  like.data = 0;
  to[name + " of long leaves"] = {iterate(grow(0), 8)};
}

programs_by_name programs() {
  programs_by_name all;
  for (std::uint64_t seed = 1; seed <= (jackdaw::test::sanitized ? 1 : 4); ++seed) add_random(all, seed);
  for (const bool help : {false, true}) {
    for (const bool inter : {false, true}) {
      const std::string kind = std::string(help ? ", help first" : "") + (inter ? ", marked" : "");
      all["all in the first, says the hint" + kind] = {iterate(flat(1, 0, help, inter, 0), 3)};
      all["all in the last, says the hint" + kind] = {iterate(flat(0, 1, help, inter, 0), 3)};
      all["nothing anywhere, says the hint" + kind] = {iterate(flat(0, 0, help, inter, 0), 3)};
      all["most in the first, a long leaf after forks" + kind] = {iterate(flat(1e6, 1, help, inter, second), 8)};
      all["equal, a long leaf after forks" + kind] = {iterate(flat(1, 1, help, inter, second), 8)};
    }
  }
  all["lopsided"] = {iterate(lopsided(6, 10 * ms), 8)};
  all["lopsided, long leaves"] = {iterate(lopsided(4, 500 * ms), 8)};
  return all;
}

std::map<std::string, machine_model> machines() {
  std::map<std::string, machine_model> all{{"one socket", test::costly_machine(1, 8)},
                                           {"three sockets of one core", test::costly_machine(3, 1)},
                                           {"four sockets of three", test::costly_machine(4, 3)},
                                           {"a node without cores", test::costly_machine(2, 4)},
                                           {"two caches a socket", test::costly_machine(2, 4)}};
  all["a node without cores"].nodes.push_back({.socket = 1,
                                               .kind = machine_model::memory_kind::cxl,
                                               .capacity = std::uint64_t{1} << 30,
                                               .bandwidth = 3,
                                               .latency = 400});
  all["two caches a socket"].shared_cache_cores = 2;
  if (jackdaw::test::sanitized) {
    for (const char* usual : {"one socket", "three sockets of one core", "four sockets of three"}) all.erase(usual);
  }
  return all;
}

/// The most that docs/schedulers.md says; 0: it says nothing.
double bound_of(const std::string& name) {
  if (name == "adws:no-steal") return 0;
  const bool places = name != "random" && name != "hierarchical";
  const double patience = name.starts_with("bats") ? scheduler::longest_patience
                          : places                 ? scheduler::long_patience
                                                   : scheduler::usual_patience;
  // A worker that has lost its patience wakes the others one after another.
  return sched::vigil::longest(patience) + (places ? ms : 0);
}

class greed : public testing::TestWithParam<std::string> {};

TEST_P(greed, leaves_no_worker_idle_beside_work_for_longer_than_the_bound) {
  const double bound = bound_of(GetParam());
  double longest = 0;
  for (const auto& [name, roots] : programs()) {
    const trace::task_tree tree = test::record(roots);
    for (const auto& [place, machine] : machines()) {
      SCOPED_TRACE(name + " on " + place);
      // What is told of the data keeps BATS from judging that the programs compute more than they move data.
      const auto told =
          GetParam().starts_with("bats") ? sched::settings{.data = 64 << 20, .branching = 2} : sched::settings{};
      const auto scheduler = sched::make_scheduler(GetParam(), told);
      const test::story ran = test::run_tree(tree, machine, *scheduler, {});
      longest = std::max(longest, ran.longest_beside_work);
      EXPECT_GE(ran.work.beside_work, ran.longest_beside_work);
      EXPECT_LE(ran.work.beside_work, ran.time * machine.cores());
      if (bound > 0) {
        EXPECT_LE(ran.longest_beside_work, bound);
      }
    }
  }
  RecordProperty("longest_us", std::to_string(longest / 1000));
  if (jackdaw::test::sanitized) return;  // too few trees for what follows
  // The programs are ones in which workers do wait: a bound that nothing comes near says nothing.
  // BATS's ablations steal everywhere.
  const bool ablation = GetParam().starts_with("bats:") && GetParam() != "bats:paper";
  if (!ablation) {
    EXPECT_GE(longest, bound / 4);
  }
  if (bound == 0) {
    EXPECT_GT(longest, 10 * second);
  }
}

INSTANTIATE_TEST_SUITE_P(all, greed, testing::ValuesIn(sched::names()));

// ---- the meter ----------------------------------------------------------------------------------------------------

TEST(greed_meter, counts_only_time_in_which_both_are_so) {
  greed_meter meter(2);
  meter.begin_idle(0, 0);
  meter.settle(5);
  ++meter.waiting();
  meter.settle(10);
  meter.begin_idle(1, 14);
  EXPECT_EQ(meter.idle(0, 16), 6);
  EXPECT_EQ(meter.idle(1, 16), 2);
  --meter.waiting();
  meter.settle(20);
  EXPECT_EQ(meter.longest(), 10);
  ++meter.waiting();
  meter.settle(30);
  EXPECT_EQ(meter.end_idle(1, 33), 6 + 3);
  EXPECT_EQ(meter.idle(1, 40), 0);
  EXPECT_EQ(meter.end_idle(0, 45), 10 + 15);
  EXPECT_EQ(meter.longest(), 15);
}

TEST(greed_meter, sees_nothing_wait_that_is_taken_at_once) {
  greed_meter meter(1);
  meter.begin_idle(0, 0);
  ++meter.waiting();
  --meter.waiting();
  meter.settle(0);
  EXPECT_EQ(meter.end_idle(0, 100), 0);
  EXPECT_EQ(meter.longest(), 0);
}

TEST(greed_meter, finds_the_worker_that_has_been_idle_for_longest) {
  greed_meter meter(3);
  ++meter.waiting();
  meter.settle(0);
  for (const std::size_t worker : {2u, 1u, 0u}) meter.begin_idle(worker, 10.0 * static_cast<double>(3 - worker));
  --meter.waiting();
  meter.settle(100);
  EXPECT_EQ(meter.longest(), 90);
}

}  // namespace
}  // namespace jackdaw::sim
