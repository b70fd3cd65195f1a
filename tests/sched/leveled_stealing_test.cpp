#include "sched/leveled_stealing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string_view>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

class levels_only final : public leveled_stealing {
 public:
  using leveled_stealing::end_of;
  using leveled_stealing::into_high;
  using leveled_stealing::into_low;
  using leveled_stealing::mix;
  using leveled_stealing::rule;
  using leveled_stealing::set_rule;
  using leveled_stealing::start_one;
  std::string_view name() const noexcept override { return "levels"; }
};

TEST(leveled_stealing, leaves_to_a_head_what_was_put_while_another_looked_by_the_rule_before) {
  for (const auto before : {levels_only::rule::levels, levels_only::rule::spread, levels_only::rule::plain}) {
    script engine{8};
    levels_only scheduler;
    scheduler.start(engine);
    scheduler.set_rule(before);
    const item subgraph(42);
    const pool_id high_of_first_squad = 0;
    engine.before_take = [&] {
      scheduler.set_rule(levels_only::rule::closed);
      engine.put(high_of_first_squad, pool_end::back, subgraph, 0);
      engine.before_take = nullptr;  // last: it is what runs
    };
    EXPECT_FALSE(scheduler.idle(1)) << "a worker that is no head";
    EXPECT_FALSE(scheduler.idle(4)) << "another squad's head";
    EXPECT_EQ(scheduler.idle(0), subgraph);
  }
}

/// Two squads of four workers; the first one's pools hold tops of subtrees, of a slow memory node and of a fast one.
class two_kinds : public testing::Test {
 protected:
  static constexpr std::size_t slow_ones = 4, fast_ones = 10;

  void SetUp() override {
    scheduler.start(engine);
    scheduler.mix(0.2);
    scheduler.set_rule(levels_only::rule::levels);
    // In the order of the data: the slow node's first.
    for (std::size_t i = 0; i != slow_ones + fast_ones; ++i) {
      const bool slow = i < slow_ones;
      const auto end = scheduler.end_of(0, tops[i], slow);
      const auto where =
          i % 2 == 0 ? scheduler.into_high(0, end, tier::lower) : scheduler.into_low(0, end, tier::lower);
      engine.put(where.pool, where.end, item(i + 1), 0);
    }
  }

  /// What `self` takes, as an index of `tops`.
  std::size_t start(worker_id self) {
    const item found = scheduler.idle(self);
    if (!found) ADD_FAILURE() << "nothing is left";
    const std::size_t i = found ? found.handle() - 1 : 0;
    scheduler.start_one(tops[i], i < slow_ones);
    scheduler.start_one(tops[i], i < slow_ones);  // it has waited and goes on
    ++started[i < slow_ones ? 1 : 0];
    return i;
  }

  script engine{8};
  levels_only scheduler;
  upper_task tops[slow_ones + fast_ones];
  std::size_t started[2] = {};  // fast, slow
};

TEST_F(two_kinds, are_started_in_step) {
  for (std::size_t taken = 0; taken != slow_ones + fast_ones; ++taken) {
    start(taken % 4);
    const double fast = static_cast<double>(started[0]) / fast_ones, slow = static_cast<double>(started[1]) / slow_ones;
    EXPECT_LE(std::abs(fast - slow), 1.0 / slow_ones) << taken;
  }
  EXPECT_FALSE(scheduler.idle(0));
  EXPECT_EQ(started[0], fast_ones);
}

TEST_F(two_kinds, are_in_step_for_other_squads_as_well) {
  start(4);
  start(5);
  EXPECT_EQ(started[0], 1U);
  EXPECT_EQ(started[1], 1U);
}

TEST_F(two_kinds, are_left_to_their_squad_by_looks_that_do_not_insist) {
  engine.insisting = false;
  EXPECT_FALSE(scheduler.idle(4));
  EXPECT_TRUE(scheduler.idle(0));
}

TEST_F(two_kinds, begin_anew_with_the_iteration) {
  while (started[0] + started[1] != slow_ones + fast_ones) start(0);
  scheduler.set_rule(levels_only::rule::levels);
  started[0] = started[1] = 0;
  // As if all slow ones came first and late: nothing lags yet.
  engine.put(0, scheduler.end_of(0, tops[slow_ones], false), item(slow_ones + 1), 0);
  engine.put(0, scheduler.end_of(0, tops[0], true), item(1), 0);
  start(0);
  start(1);
  EXPECT_EQ(started[0], 1U);
  EXPECT_EQ(started[1], 1U);
}

}  // namespace
