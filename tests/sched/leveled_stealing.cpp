#include "sched/leveled_stealing.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "sched/script.hpp"

namespace {

using namespace jackdaw::sched;
using jackdaw::test::script;

class levels_only final : public leveled_stealing {
 public:
  using leveled_stealing::rule;
  using leveled_stealing::set_rule;
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

}  // namespace
