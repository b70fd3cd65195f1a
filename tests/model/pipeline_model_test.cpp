// A stage of a pipeline has one item at a time, in order if it is to be so, each call sees the item and what the calls
// before it have done, and no item is forgotten.
#include <gtest/gtest.h>

#include <utility>

#include "jackdaw/detail/algorithm/tokens.hpp"
#include "jackdaw/detail/algorithm/turns.hpp"
#include "jackdaw/detail/algorithm/waiting_line.hpp"
#include "model/report.hpp"
#include "support/sanitized.hpp"

namespace jackdaw::model {
namespace {

/// A member of an item.
template <class T>
struct field {
  operator T() const { return value.get(); }  // NOLINT: as a T
  field& operator=(T next) {
    value.set(next);
    return *this;
  }
  plain<T> value;
};

struct slot {
  field<slot*> next;
  field<std::uint64_t> number;
  field<bool> in_source{};
};

/// Threads are runners (detail::pipeline_run), but none forks: with two slots it goes on with either, and with the
/// other one afterwards. At first thread 0 is in the source, and each other thread comes back to it with a slot. `more`
/// tokens are free, and have no slots yet.
struct pipeline_play : scenario {
  using turns = detail::basic_turns<policy, slot>;

  pipeline_play(unsigned runners, unsigned items, unsigned more = 0, bool makes_slots = true)
      : runners(runners), items(items), makes_slots(makes_slots), tokens(1 + more), stage(runners + more) {
    made.set(runners);
  }
  unsigned threads() const override { return runners; }

  void run(unsigned self) override {
    slot* mine[most_threads] = {};
    unsigned count = 0;
    const auto hold = [&](slot* one) {
      if (one != nullptr) mine[count++] = one;
    };
    const auto take_slot = [&](bool makes) {
      slot* on = tokens.pop();
      if (on == nullptr && makes) {
        expect(made.get() < most_slots, "there are more slots than tokens");
        on = &slots[made.get()];
        made.set(made.get() + 1);
      }
      if (on != nullptr) on->in_source = true;
      hold(on);
    };
    const auto come_back = [&](slot* on) {
      if (tokens.arrive(on)) take_slot(makes_slots);
    };
    if (self == 0) {
      slots[0].in_source = true;
      hold(&slots[0]);
    } else {
      come_back(&slots[self]);
    }
    while (count != 0) {
      if (count == 2 && choose(2) == 1) std::swap(mine[0], mine[1]);
      slot* const on = mine[--count];
      if (on == &called) {
        called.number = called.number + 1;  // it is this runner's until it enters
        if (tokens.enter()) take_slot(true);
      } else if (on->in_source) {
        const unsigned number = produced.get();
        if (number == items) {
          ended_at_source.set(true);
          continue;  // the source stays this runner's
        }
        produced.set(number + 1);
        on->number = number;
        on->in_source = false;
        if (tokens.leave()) {
          called.number = called.number + 1;  // it may be put off at once
          hold(&called);
        }
        if (stage.arrive(on)) hold(on);
      } else {
        const unsigned number = consumed.get();
        expect(on->number == number, "the stage takes items in out of order");
        consumed.set(number + 1);
        hold(stage.leave(on));
        come_back(on);
      }
    }
  }

  void finish(ended who) override {
    expect(all(who), "a runner does not end");
    expect(ended_at_source.get(), "the source is not called until it ends");
    expect(consumed.get() == items, "an item is forgotten");
  }

  static constexpr unsigned most_slots = 3;
  const unsigned runners, items;
  const bool makes_slots;                     // for a runner that has come back, where pop() has none
  detail::basic_tokens<policy, slot> tokens;  // the other slots come back to it
  turns stage;
  slot slots[most_slots];
  slot called;
  plain<unsigned> produced, consumed, made;
  plain<bool> ended_at_source;
};

/// Each thread brings one item to a stage.
struct stage_play : scenario {
  explicit stage_play(unsigned runners) : runners(runners) {}
  unsigned threads() const override { return runners; }
  void finish(ended who) override {
    expect(all(who), "a runner does not end");
    expect(consumed.get() == runners, "an item is forgotten");
  }

  const unsigned runners;
  slot slots[3];
  plain<unsigned> consumed;
};

/// The stage takes them in order.
struct turns_play : stage_play {
  turns_play(unsigned runners, unsigned cells) : stage_play(runners), turns(cells) {}

  void run(unsigned self) override {
    slots[self].number = self;
    slot* on = turns.arrive(&slots[self]) ? &slots[self] : nullptr;
    for (; on != nullptr; on = turns.leave(on)) {
      expect(on->number == consumed.get(), "the stage takes items in out of order");
      consumed.set(consumed.get() + 1);
    }
  }

  detail::basic_turns<policy, slot> turns;
};

/// The stage takes them in any order.
struct line_play : stage_play {
  using stage_play::stage_play;

  void run(unsigned self) override {
    slots[self].number = self + 1;
    slot* on = line.arrive(&slots[self]) ? &slots[self] : nullptr;
    while (on != nullptr) {
      expect(on->number == static_cast<std::uint64_t>(on - slots) + 1, "the stage does not see the item");
      consumed.set(consumed.get() + 1);
      on = line.leave();
    }
  }

  detail::basic_waiting_line<policy, slot> line;
};

class pipelines : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, pipelines, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(pipelines, two_tokens) { expect_holds(explore<pipeline_play>({.on = GetParam()}, 2u, 3u)); }
TEST_P(pipelines, three_tokens) { expect_holds(explore<pipeline_play>({.on = GetParam()}, 3u, 1u)); }
TEST_P(pipelines, a_token_without_a_slot) {
  expect_holds(explore<pipeline_play>({.on = GetParam()}, 2u, test::sanitized ? 1u : 2u, 1u));
}
TEST_P(pipelines, a_runner_that_comes_back_and_makes_no_slot_is_found) {
  expect_violated(explore<pipeline_play>({.on = GetParam()}, 2u, 2u, 1u, false));
}
TEST_P(pipelines, turns_of_two) { expect_holds(explore<turns_play>({.on = GetParam()}, 2u, 2u)); }
TEST_P(pipelines, turns_of_three) { expect_holds(explore<turns_play>({.on = GetParam()}, 3u, 3u)); }
TEST_P(pipelines, line_of_two) { expect_holds(explore<line_play>({.on = GetParam()}, 2u)); }
TEST_P(pipelines, line_of_three) { expect_holds(explore<line_play>({.on = GetParam()}, 3u)); }
TEST_P(pipelines, more_items_under_way_than_cells_are_found) {
  expect_violated(explore<turns_play>({.on = GetParam()}, 3u, 2u));
}

TEST(model, pipelines_without_release_are_found) {
  for (const machine on : {machine::pso, machine::views}) {
    const options broken{.on = on, .release_is_relaxed = true};
    expect_violated(explore<pipeline_play>(broken, 2u, 3u));
    expect_violated(explore<turns_play>(broken, 3u, 3u));
    expect_violated(explore<line_play>(broken, 3u));
  }
}
TEST(model, pipelines_without_acquire_are_found) {
  const options broken{.on = machine::views, .acquire_is_relaxed = true};
  expect_violated(explore<pipeline_play>(broken, 2u, 3u));
  expect_violated(explore<turns_play>(broken, 3u, 3u));
  expect_violated(explore<line_play>(broken, 3u));
}

}  // namespace
}  // namespace jackdaw::model
