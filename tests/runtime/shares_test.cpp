// More clients than workers: each gets about as much of the workers as any other one, whatever its roots are made of.
#include "runtime/shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/sanitized.hpp"
#include "support/schedulers.hpp"

namespace {

using jackdaw::runtime;
using jackdaw::detail::shares;

// Before the first runtime looks, and unless told otherwise: two memory nodes of a processor each.
const bool described = setenv("HWLOC_SYNTHETIC", "package:2 numa:1 core:1 pu:1", 0) == 0;

// ---- the rule ------------------------------------------------------------------------------------------------------

constexpr std::int64_t millisecond = 1'000'000;

/// What each kind gets if a choice is good for so many ns.
std::array<int, shares::kinds> choices(shares& of, const shares::weights& weights,
                                       const std::array<std::int64_t, shares::kinds>& runs, int times) {
  std::array<int, shares::kinds> counts{};
  std::int64_t now = 0;
  for (int i = 0; i < times; ++i) {
    const shares::kind next = of.next(weights, now);
    ++counts[next];
    now += runs[next];
  }
  return counts;
}

TEST(shares, follow_the_weights) {
  shares time;
  const auto counts = choices(time, {12, 0, 3, 1}, {millisecond, millisecond, millisecond, millisecond}, 1600);
  EXPECT_NEAR(counts[shares::queued], 1200, 5);
  EXPECT_EQ(counts[shares::rests], 0);
  EXPECT_NEAR(counts[shares::wishes], 300, 5);
  EXPECT_NEAR(counts[shares::placed], 100, 5);
}

TEST(shares, are_of_time_and_not_of_choices) {
  shares time;
  const auto counts = choices(time, {1, 0, 1, 0}, {millisecond, 0, millisecond / 50, 0}, 5100);
  EXPECT_NEAR(counts[shares::wishes] / counts[shares::queued], 50, 2);
}

TEST(shares, owe_nothing_to_who_had_nothing) {
  shares time;
  choices(time, {1, 0, 0, 0}, {millisecond, 0, 0, 0}, 1000);
  const auto counts = choices(time, {1, 0, 1, 0}, {millisecond, 0, millisecond, 0}, 100);
  EXPECT_NEAR(counts[shares::wishes], 50, 6);
}

TEST(shares, are_not_lost_for_long_to_a_step_that_could_not_be_interrupted) {
  shares time;
  std::int64_t now = 0;
  const shares::weights both{1, 0, 1, 0};
  shares::kind next = time.next(both, now);
  const shares::kind long_one = next;
  now += 1000 * millisecond;
  int others = 0;
  while ((next = time.next(both, now)) != long_one) {
    ++others;
    now += millisecond;
  }
  EXPECT_GE(others, 1);
  EXPECT_LE(others, 10);
}

// ---- clients -------------------------------------------------------------------------------------------------------

/// Of a round, which takes several turns: of shorter ones, that are over within one, others would have as many as there
/// is time for while one that waits for its children has one.
constexpr int round_steps = 300;

/// Some 10 us, as a number of steps: a thread that is not running makes none.
void step() {
  for (int i = 0; i < 20'000; ++i) asm volatile("");
}

void tree(int steps) {
  if (steps == 1) return step();
  jackdaw::invoke([=] { tree(steps / 2); }, [=] { tree(steps - steps / 2); });
}

struct kind {
  const char* name;
  void (*round)();
};
const kind help_first{"help-first", [] {
                        jackdaw::task_group group(jackdaw::policy::help_first);
                        for (int i = 0; i < round_steps; ++i) group.run(step);
                        group.wait();
                      }};
const kind work_first{"work-first", [] {
                        jackdaw::task_group group;
                        for (int i = 0; i < round_steps; ++i) group.run(step);
                        group.wait();
                      }};
const kind near{"near", [] {
                  jackdaw::task_group group;
                  for (int i = 0; i < round_steps; ++i) group.run(jackdaw::on(0), step);
                  group.wait();
                }};
const kind invoke{"invoke", [] { tree(round_steps); }};
const kind loop{"loop", [] { jackdaw::for_index(0, round_steps, [](int) { step(); }); }};

class clients : public testing::TestWithParam<std::string> {
 protected:
  /// How many rounds each client had when all together had `total`.
  std::vector<int> rounds(const std::vector<kind>& kinds, int total) {
    std::vector<std::atomic<int>> counts(kinds.size());
    std::atomic<int> all{0};
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      threads.emplace_back([&, i] {
        while (!stop) {
          rt_.run(kinds[i].round);
          if (stop) break;
          ++counts[i];
          if (++all >= total) stop = true;
        }
      });
    }
    for (std::thread& each : threads) each.join();
    return {counts.begin(), counts.end()};
  }

  static std::string text(const std::vector<kind>& kinds, const std::vector<int>& rounds) {
    std::string said;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      said.append(kinds[i].name).append(" ").append(std::to_string(rounds[i])).append(", ");
    }
    return said;
  }

  runtime rt_{{.scheduler = GetParam(), .workers = 2}};
};

constexpr int mean = jackdaw::test::sanitized ? 12 : 25;
/// Of time each gets about as much; under AddressSanitizer a task on a stack of its own takes ten times as long as
/// another.
constexpr int least = jackdaw::test::sanitized ? 1 : mean / 4;

TEST_P(clients, that_are_equal_get_equally_much) {
  for (const kind& each : {help_first, loop, near}) {
    const std::vector<kind> kinds(6, each);
    const std::vector<int> counts = rounds(kinds, 6 * mean);
    EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 2 * mean) << text(kinds, counts);
  }
}

TEST_P(clients, with_wishes_keep_nobody_waiting) {
  const std::vector<kind> kinds{help_first, near, help_first, near, help_first, near};
  const std::vector<int> counts = rounds(kinds, 6 * mean);
  EXPECT_GE(*std::min_element(counts.begin(), counts.end()), least) << text(kinds, counts);
}

TEST_P(clients, of_all_kinds_get_on) {
  const std::vector<kind> kinds{loop, help_first, near, invoke, work_first, near, loop, help_first};
  const std::vector<int> counts = rounds(kinds, 8 * mean);
  EXPECT_GE(*std::min_element(counts.begin(), counts.end()), least) << text(kinds, counts);
}

/// Each waits, forking, for all others: if one root has no turn none of them ends.
TEST_P(clients, that_wait_for_one_another_all_arrive) {
  const kind kinds[] = {invoke, near, help_first, loop, work_first, near, invoke, near};
  constexpr int phases = 10;
  std::atomic<int> arrivals{0};
  std::vector<std::thread> threads;
  for (const kind& each : kinds) {
    threads.emplace_back([&] {
      rt_.run([&] {
        for (int phase = 1; phase <= phases; ++phase) {
          ++arrivals;
          while (arrivals < phase * static_cast<int>(std::size(kinds))) each.round();
        }
      });
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(arrivals, phases * static_cast<int>(std::size(kinds)));
}

/// One that came first and is laid out, and those that come while it is.
TEST_P(clients, do_not_lose_by_having_come_first) {
  std::vector<kind> kinds(8, loop);
  kinds[0] = help_first;
  rt_.run(help_first.round);
  const std::vector<int> counts = rounds(kinds, 8 * mean);
  EXPECT_GE(counts[0], least) << text(kinds, counts);
}

/// Not the one that leaves what it has placed to whom it was placed with, however long that takes.
std::vector<std::string> schedulers_that_steal() {
  std::vector<std::string> names = jackdaw::test::diverse_schedulers();
  std::erase(names, "adws:no-steal");
  return names;
}

INSTANTIATE_TEST_SUITE_P(all, clients, testing::ValuesIn(schedulers_that_steal()),
                         [](const auto& info) { return jackdaw::test::word(info.param); });

}  // namespace
