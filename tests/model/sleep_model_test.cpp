// Nobody sleeps while there is something for it to take, and nothing that was posted lies unseen.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "model/sleep_world.hpp"

namespace jackdaw::model {
namespace {

using namespace sleeping;

/// Worker 0 runs out of work while thread 1 posts to it.
struct post_play : world {
  explicit post_play(flaw broken = flaw::none) : world(1, broken) { sleepers.begin_search(); }
  unsigned threads() const override { return 2; }
  void run(unsigned self) override {
    if (self == 0) {
      search(0, 3);
    } else {
      post(0);
    }
  }
};

/// Worker 0 pushes, then is busy for ever. Worker 1 runs out of work.
struct push_play : world {
  explicit push_play(unsigned pushes, flaw broken = flaw::none) : world(2, broken), pushes(pushes) {
    sleepers.begin_search();
  }
  unsigned threads() const override { return 2; }
  void run(unsigned self) override {
    if (self == 1) {
      search(1, 3);
      return;
    }
    for (unsigned i = 0; i < pushes; ++i) {
      push(0);
    }
  }
  const unsigned pushes;
};

/// Worker 0 has one entry and pushes another. Worker 1 searches, worker 2 sleeps: there is work for both.
struct baton_play : world {
  explicit baton_play(flaw broken = flaw::none) : world(3, broken) {
    put_to_sleep(2);
    sleepers.begin_search();
    (void)deques[0].push(&what);
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
    } else if (self == 1) {
      search(1, 2);
    } else {
      sleep(2);
      search(2, 1, true);
    }
  }
};

/// Worker 0 pushes, worker 1 searches but may not steal from it, worker 2 sleeps and may. `found`: something else is
/// there for worker 1.
struct scope_play : world {
  scope_play(bool found, bool patient, flaw broken = flaw::none) : world(3, broken, patient) {
    sleepers.set_scope(1, {1, 1});
    sleepers.set_scope(2, {0, 0});
    put_to_sleep(2);
    sleepers.begin_search();
    if (found) {
      (void)mailboxes[1].post(sched::item(1));
    }
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
    } else if (self == 1) {
      search(1, 2);
    } else {
      sleep(2);
      search(2, 1, true);
    }
  }
};

/// Worker 0 pushes and is busy for ever. Worker 1 sleeps, and would not steal from it before it has waited for a while.
struct stray_play : world {
  explicit stray_play(bool patient, flaw broken = flaw::none) : world(2, broken, patient) {
    sleepers.set_scope(1, {1, 1});
    put_to_sleep(1);
  }
  unsigned threads() const override { return 2; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
    } else {
      sleep(1);
      search(1, 2, true);
    }
  }
};

/// Worker 0 pushes what is out of the others' scopes. Worker 1 watches, and thread 3 posts to it; worker 2 sleeps.
struct watch_play : world {
  explicit watch_play(flaw broken = flaw::none) : world(3, broken, true) {
    for (const unsigned who : {1u, 2u}) {
      sleepers.set_scope(who, {who, who});
      put_to_sleep(who);
    }
    begin_watch(1);
  }
  unsigned threads() const override { return 4; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
    } else if (self == 1) {
      watch(1);
      search(1, 1);
    } else if (self == 2) {
      sleep(2);
      search(2, 2);
    } else {
      post(1);
    }
  }
};

/// Worker 1 sleeps; worker 0 has something to steal and thread 2 something to post to it: one wake-up for both.
struct two_wakers_play : world {
  two_wakers_play() : world(2, flaw::none) { put_to_sleep(1); }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
    } else if (self == 1) {
      sleep(1);
      search(1, 2, true);
    } else {
      post(1);
    }
  }
};

/// Worker 0 is busy and pushes now and then; thread 1 posts to it while another one asks it for work.
struct busy_play : world {
  explicit busy_play(bool careless) : world(1, flaw::none), careless(careless) {}
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      push(0);
      push(0);
    } else if (self == 1) {
      if (careless) {
        expect(mailboxes[0].post(sched::item(1)), "the mailbox was full");
        deques[0].ask();
      } else {
        post(0);
      }
    } else {
      deques[0].ask();
    }
  }
  const bool careless;
};

/// Worker 0 places tasks and is busy for ever; worker 1 runs out of work. `near`: they are placed there.
struct place_play : world {
  place_play(unsigned tasks, bool near, flaw broken = flaw::none) : world(2, broken), tasks(tasks), near(near) {
    sleepers.begin_search();
  }
  unsigned threads() const override { return 2; }
  void run(unsigned self) override {
    if (self == 1) {
      search(1, 2);
      return;
    }
    for (unsigned i = 0; i < tasks; ++i) {
      put_near(0, [this](unsigned who) { return near && who == 1; });
    }
  }
  const unsigned tasks;
  const bool near;
};

/// A placed task waits, and worker 1 searches but has not searched for long enough to take it. Another one is placed
/// while worker 0 searches and finds something else: worker 2, which sleeps, is needed.
struct bound_play : world {
  explicit bound_play(flaw broken = flaw::none) : world(3, broken) {
    put_to_sleep(2);
    sleepers.begin_search();
    sleepers.begin_search();
    counted = 1;
    (void)mailboxes[0].post(sched::item(1));
    waiting.store(broken == flaw::leaves_placed_tasks_alone ? 2 : 1, std::memory_order_relaxed);
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      search(0, 1);
    } else if (self == 1) {
      // With two waiting already it is worker 0 alone that can see to it.
      if (broken != flaw::leaves_placed_tasks_alone) {
        put_near(1, [](unsigned) { return false; });
      }
    } else {
      sleep(2);
      search(2, 1);
    }
  }
};

class sleep : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, sleep, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(sleep, over_the_mailbox) { expect_holds(explore<post_play>({.on = GetParam()})); }
TEST_P(sleep, over_a_push) {
  expect_holds(explore<push_play>({.on = GetParam()}, 1u));
  if (GetParam() != machine::views) {
    expect_holds(explore<push_play>({.on = GetParam()}, 2u));
  }
}
TEST_P(sleep, baton) {
  if (GetParam() == machine::views) {
    // All of it is a minute's work.
    const outcome found = explore<baton_play>({.on = machine::views, .preemptions = 2});
    EXPECT_EQ(found.violation, "") << found.trace;
    EXPECT_GT(found.states, 10'000u);
  } else {
    expect_holds(explore<baton_play>({.on = GetParam()}));
  }
}
TEST_P(sleep, scopes) {
  expect_holds(explore<scope_play>({.on = GetParam()}, false, false));
  expect_holds(explore<scope_play>({.on = GetParam()}, true, false));
}
TEST_P(sleep, scopes_of_patient_workers) {
  for (const bool found_something : {false, true}) {
    // On views all of it is a minute's work.
    const unsigned preemptions = GetParam() == machine::views ? 3 : ~0u;
    const outcome found = explore<scope_play>({.on = GetParam(), .preemptions = preemptions}, found_something, true);
    EXPECT_EQ(found.violation, "") << found.trace;
  }
}
TEST_P(sleep, out_of_every_scope) {
  expect_holds(explore<stray_play>({.on = GetParam()}, false));
  expect_holds(explore<stray_play>({.on = GetParam()}, true));
}
TEST_P(sleep, while_somebody_watches) {
  const outcome found = explore<watch_play>({.on = GetParam(), .preemptions = 3});
  EXPECT_EQ(found.violation, "") << found.trace;
}
TEST_P(sleep, two_wakers) { expect_holds(explore<two_wakers_play>({.on = GetParam()})); }
TEST_P(sleep, posted_to_the_busy) { expect_holds(explore<busy_play>({.on = GetParam()}, false)); }

TEST_P(sleep, over_a_placed_task) {
  for (const bool near : {false, true}) {
    expect_holds(explore<place_play>({.on = GetParam()}, 1u, near));
  }
  if (GetParam() == machine::tso) {
    expect_holds(explore<place_play>({.on = GetParam()}, 2u, false));
  }
}
TEST_P(sleep, as_many_search_as_placed_tasks_wait) { expect_holds(explore<bound_play>({.on = GetParam()})); }

TEST_P(sleep, without_a_heavy_fence_is_found) {
  expect_violated(explore<push_play>({.on = GetParam(), .heavy = options::fence::does_nothing}, 1u));
}
TEST_P(sleep, after_the_look_is_found) {
  expect_violated(explore<post_play>({.on = GetParam()}, flaw::looks_before_it_lies_down));
  expect_violated(explore<push_play>({.on = GetParam()}, 1u, flaw::looks_before_it_lies_down));
}
TEST_P(sleep, without_passing_the_baton_is_found) {
  expect_violated(explore<baton_play>({.on = GetParam()}, flaw::keeps_the_baton));
  expect_violated(explore<scope_play>({.on = GetParam()}, true, false, flaw::keeps_the_baton));
}
TEST_P(sleep, without_a_look_around_is_found) {
  expect_violated(explore<scope_play>({.on = GetParam()}, false, false, flaw::looks_only_in_its_scope));
}
TEST_P(sleep, without_a_wake_up_out_of_scope_is_found) {
  expect_violated(explore<stray_play>({.on = GetParam()}, false, flaw::wakes_only_in_scope));
  expect_violated(explore<stray_play>({.on = GetParam()}, true, flaw::wakes_only_in_scope));
}
TEST_P(sleep, without_an_end_of_the_watch_is_found) {
  expect_violated(explore<watch_play>({.on = GetParam()}, flaw::watches_on));
}
TEST_P(sleep, without_a_look_for_placed_tasks_is_found) {
  expect_violated(explore<place_play>({.on = GetParam()}, 1u, false, flaw::forgets_placed_tasks));
}
TEST_P(sleep, without_a_look_at_the_end_of_a_search_is_found) {
  expect_violated(explore<bound_play>({.on = GetParam()}, flaw::leaves_placed_tasks_alone));
}
TEST(model, a_question_that_another_has_asked_already_is_found) {
  expect_violated(explore<busy_play>({.on = machine::views}, true));
}

}  // namespace
}  // namespace jackdaw::model
