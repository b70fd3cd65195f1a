// Every pushed entry is taken exactly once, by its owner or by one thief, in every interleaving.
#include <gtest/gtest.h>

#include <string_view>

#include "jackdaw/detail/deque.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

/// What a deque holds here: written by the owner before the push, read by the thief in claim().
struct thing {
  plain<int> content;
  int taken = 0;
};

/// What each thread does, a letter an action.
/// owner: + pushes, k pushes what must stay, x the same with the wrong call, - takes the newest back, n takes back
/// whatever is newest, r replaces the newest, l looks up
///   thief: s steals, f forces, a asks
struct play {
  std::string_view owner;
  std::string_view thieves[2] = {};
  unsigned capacity = 4;
};

struct deque_play : scenario {
  using deque_type = detail::basic_deque<policy, thing>;

  explicit deque_play(const play& what) : what(what) { deque.open(slots, what.capacity); }

  unsigned threads() const override { return what.thieves[1].empty() ? 2 : 3; }

  void run(unsigned self) override {
    if (self == 0) {
      own();
    } else {
      rob(what.thieves[self - 1]);
    }
  }

  void own() {
    unsigned made = 0;
    unsigned depth = 0;
    bool stands = false;  // a question
    thing* open[6] = {};
    deque_type::slot* at[6] = {};
    const auto take = [](thing* what) { ++what->taken; };
    for (const char action : what.owner) {
      if (action == '+') {
        thing* const fresh = &things[made++];
        fresh->content.set(1);
        const bool alone = deque.push(fresh, at[depth]);
        expect(!alone || !stands, "a push did not see a question that nobody had answered");
        stands = stands && alone;
        if (!alone && deque.attend() == deque_type::attention::full) {
          take(fresh);
        } else {
          open[depth++] = fresh;
        }
      } else if (action == 'k' || action == 'x') {
        thing* const fresh = &things[made++];
        fresh->content.set(1);
        if (!deque.push(fresh, at[depth])) {
          if (action == 'k') {
            deque.serve();
          } else {
            deque.attend();
          }
        }
        open[depth++] = fresh;
      } else if (action == '-') {
        if (depth > 0) {
          thing* const newest = open[--depth];
          if (deque.pop(newest, at[depth]) || deque.pop(newest)) {
            take(newest);
          } else {
            expect(newest->taken == 1, "an entry has vanished before anybody took it");
          }
        }
      } else if (action == 'l') {
        stands = deque.asked() && !deque.answer();
      } else if (action == 'n') {
        if (thing* const newest = deque.pop_newest()) {
          take(newest);
        }
      } else {
        thing* const by = &things[made++];
        by->content.set(1);
        const bool found = deque.replace(open[depth - 1], by, [&] { take(open[depth - 1]); });
        if (!found) {
          expect(open[depth - 1]->taken == 1, "replace() did not find what nobody took");
          take(by);
        }
        open[depth - 1] = by;
        if (!found) {
          --depth;
        }
      }
    }
    pushed = made;
  }

  void rob(std::string_view actions) {
    const auto claim = [](thing* taken) {
      ++taken->taken;
      expect(taken->content.get() == 1, "a thief sees an entry before what its owner wrote into it");
    };
    for (const char action : actions) {
      if (action == 's') {
        deque.steal(claim);
      } else if (action == 'f') {
        deque.force(claim);
      } else {
        deque.ask();
      }
    }
  }

  void finish(ended who) override {
    expect(all(who), "a thread waits for ever");
    for (unsigned i = 0; i < pushed; ++i) {
      expect(things[i].taken < 2, "an entry was taken twice");
      expect(things[i].taken > 0, "an entry was lost");
    }
  }

  play what;
  unsigned pushed = 0;
  deque_type deque;
  deque_type::slot slots[6];
  thing things[6];
};

struct named {
  const char* name;
  play what;
};

class deques : public testing::TestWithParam<std::tuple<machine, named>> {};

INSTANTIATE_TEST_SUITE_P(model, deques,
                         testing::Combine(testing::Values(machine::tso, machine::pso, machine::views),
                                          testing::Values(named{"steal", {"+++---", {"sss", ""}}},            //
                                                          named{"force", {"+++---", {"fff", ""}}},            //
                                                          named{"steal_and_force", {"++--", {"ss", "f"}}},    //
                                                          named{"two_steal", {"++--", {"ss", "s"}}},          //
                                                          named{"two_force", {"++--", {"f", "f"}}},           //
                                                          named{"again", {"+-+-", {"f", "ss"}}},              //
                                                          named{"full", {"+++---", {"ff", ""}, 1}},           //
                                                          named{"full_of_two", {"+++-+--", {"fff", ""}, 2}},  //
                                                          named{"kept", {"+k+--", {"ff", ""}, 1}},            //
                                                          named{"kept_from_two", {"kk--", {"s", "f"}, 0}},    //
                                                          named{"kept_and_asked", {"k+n", {"as", ""}, 0}},    //
                                                          named{"look_up", {"+l-l+l-", {"ass", ""}}},         //
                                                          named{"looked_up", {"l+-l+-", {"f", "as"}}},        //
                                                          named{"replace", {"++r--", {"sf", "s"}}},           //
                                                          named{"newest", {"++nn", {"f", "f"}}})),
                         [](const auto& each) {
                           return std::string(std::get<1>(each.param).name) + "_" +
                                  machine_name(std::get<0>(each.param));
                         });

TEST_P(deques, every_entry_is_taken_once) {
  const auto& [on, what] = GetParam();
  expect_holds(explore<deque_play>({.on = on}, what.what));
}

TEST_P(deques, also_if_the_kernel_refuses_heavy_fences) {
  const auto& [on, what] = GetParam();
  play small = what.what;
  // There every entry is public, so every operation takes the lock; two thieves have too many states for `views`.
  if (on == machine::views) small.thieves[1] = "";
  expect_holds(explore<deque_play>({.on = on, .heavy = options::fence::refused}, small));
}

class broken_deques : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, broken_deques, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(broken_deques, force_without_a_heavy_fence_is_found) {
  const options broken{.on = GetParam(), .heavy = options::fence::does_nothing};
  expect_violated(explore<deque_play>(broken, play{"+-", {"f", ""}}));
}

TEST_P(broken_deques, taking_back_a_kept_entry_is_found) {
  expect_violated(explore<deque_play>({.on = GetParam()}, play{"+xn", {"s", ""}, 1}));
}

TEST(model, deque_without_release_is_found) {
  for (const machine on : {machine::pso, machine::views}) {
    expect_violated(explore<deque_play>({.on = on, .release_is_relaxed = true}, play{"++--", {"ss", ""}}));
  }
}

TEST(model, deque_without_acquire_is_found) {
  expect_violated(explore<deque_play>({.on = machine::views, .acquire_is_relaxed = true}, play{"++--", {"ss", ""}}));
}

}  // namespace
}  // namespace jackdaw::model
