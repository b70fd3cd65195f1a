// A waiting fiber is resumed exactly once, after everything that it waits for, and no thread reads an object that has
// ended.
#include <gtest/gtest.h>

#include <new>

#include "jackdaw/detail/deque.hpp"
#include "jackdaw/detail/join_latch.hpp"
#include "jackdaw/detail/pending.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

/// A fiber. The thread that resumes it must see the saved context.
struct fiber {
  plain<int> context;
  int resumed = 0;

  void save() { context.set(7); }
  void resume() {
    expect(context.get() == 7, "a fiber is resumed before it is off its stack");
    expect(++resumed == 1, "a fiber is resumed twice");
  }
};

/// An object that ends while others may still have its address; the explorer checks that they do not use it.
template <class T>
class mortal {
 public:
  mortal() { new (room_) T; }
  T* operator->() noexcept { return std::launder(reinterpret_cast<T*>(room_)); }
  void end() noexcept { operator->()->~T(); }

 private:
  alignas(T) std::byte room_[sizeof(T)];
};

// ---- a branch of an invoke ----------------------------------------------------------------------------------------

/// Thread 0 joins a branch that thread 1 runs.
struct branch_play : scenario {
  using join_latch = detail::basic_join_latch<policy, fiber>;

  explicit branch_play(bool throws) : throws(throws) {}
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      if (!word->settled()) {
        waiter.save();
        if (word->wait(&waiter)) {
          return;
        }
        waiter.resume();
      }
      rest();
    } else {
      result.set(42);
      if (fiber* const waits = word->settle(throws ? join_latch::result::threw : join_latch::result::ended)) {
        waits->resume();
        rest();
      }
    }
  }

  void rest() {
    expect(word->threw() == throws, "how the branch ended is lost");
    expect(result.get() == 42, "the join returns before the branch has ended");
    word.end();
    ++went_on;
  }

  void finish(ended) override { expect(went_on == 1, "the join does not return exactly once"); }

  const bool throws;
  mortal<join_latch> word;
  fiber waiter;
  plain<int> result;
  int went_on = 0;
};

// ---- a group ------------------------------------------------------------------------------------------------------

using group = detail::basic_pending<policy, fiber>;

/// Thread 0 waits for detached children, which end on the other threads and mark the group, as children that throw do.
struct group_play : scenario {
  explicit group_play(unsigned children) : children(children) {
    for (unsigned i = 0; i < children; ++i) {
      pending->add();
    }
  }
  unsigned threads() const override { return 1 + children; }

  void run(unsigned self) override {
    if (self == 0) {
      if (pending->none()) {
        rest();
        return;
      }
      waiter.save();
      if (pending->wait(&waiter)) {
        resume();
      }
    } else {
      results[self - 1].set(42);
      if ((pending->mark(failing) & failing) == 0) {
        first_error.set(self);
      }
      if (pending->end()) {
        resume();
      }
    }
  }

  void resume() {
    fiber* const waits = pending->restart();
    expect(waits == &waiter, "the waiter is not known yet");
    waits->resume();
    rest();
  }

  void rest() {
    expect(pending->none() && pending->none_but(failing), "the group goes on with children left");
    expect(first_error.get() != 0, "no child has written the error");
    pending->unmark(failing);
    expect(pending->untouched(), "the group cannot be used again");
    for (unsigned i = 0; i < children; ++i) {
      expect(results[i].get() == 42, "the wait returns before a child has ended");
    }
    pending.end();
    ++went_on;
  }

  void finish(ended) override { expect(went_on == 1, "the wait does not return exactly once"); }

  static constexpr group::mark_set failing = 4;

  const unsigned children;
  mortal<group> pending;
  fiber waiter;
  plain<int> results[3];
  plain<unsigned> first_error;
  int went_on = 0;
};

/// Help-first: thread 0 pushes children and takes back those that were not stolen. Thread 1 steals some, which count
/// themselves off, perhaps before the group's own task has counted them.
struct push_play : scenario {
  struct child {
    plain<int> result;
    int ran = 0;
    void run() {
      expect(++ran == 1, "a child runs twice");
      result.set(42);
    }
  };
  using deque = detail::basic_deque<policy, child>;

  push_play() {
    own.open(slots, 4);
    own.ask();  // so that the first push makes something public
  }
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      for (child& each : children) {
        pending->push();
        if (!own.push(&each)) {
          own.attend();
        }
      }
      while (child* const mine = own.pop_newest()) {
        mine->run();
        pending->take_back();
      }
      if (pending->none()) {
        rest();
        return;
      }
      waiter.save();
      if (pending->wait(&waiter)) {
        resume();
      }
    } else if (child* const stolen = own.steal([](child*) {})) {
      stolen->run();
      if (pending->end()) {
        resume();
      }
    }
  }

  void resume() {
    fiber* const waits = pending->restart();
    expect(waits == &waiter, "the waiter is not known yet");
    waits->resume();
    rest();
  }

  void rest() {
    expect(pending->none(), "the group goes on with children left");
    for (child& each : children) {
      expect(each.result.get() == 42, "the wait returns before a child has ended");
    }
    pending.end();
    ++went_on;
  }

  void finish(ended) override { expect(went_on == 1, "the wait does not return exactly once"); }

  deque::slot slots[6];
  deque own;
  child children[2];
  mortal<group> pending;
  fiber waiter;
  int went_on = 0;
};

/// A work-first spawn: thread 0 exposes the parent, runs the child, and takes the parent back unless thread 1 has
/// stolen it, which detaches the child.
struct spawn_play : scenario {
  using deque_type = detail::basic_deque<policy, fiber>;

  spawn_play() { deque.open(slots, 2); }
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      parent.save();
      if (!deque.push(&parent)) {
        deque.attend();
      }
      result.set(42);
      if (deque.pop(&parent)) {
        parent.resume();
        wait();
      } else if (pending->end()) {
        resume();
      }
    } else {
      const auto claim = [&](fiber*) { pending->add(); };
      fiber* stolen = deque.steal(claim);
      if (stolen == nullptr) {
        stolen = deque.force(claim);
      }
      if (stolen != nullptr) {
        stolen->resume();
        wait();
      }
    }
  }

  void wait() {
    if (pending->none()) {
      rest();
      return;
    }
    waiter.save();
    if (pending->wait(&waiter)) {
      resume();
    }
  }

  void resume() {
    pending->restart()->resume();
    rest();
  }

  void rest() {
    expect(result.get() == 42, "the wait returns before the child has ended");
    pending.end();
    ++went_on;
  }

  void finish(ended who) override {
    expect(all(who), "a thread waits for ever");
    expect(went_on == 1, "the wait does not return exactly once");
  }

  deque_type deque;
  deque_type::slot slots[4];
  mortal<group> pending;
  fiber parent, waiter;
  plain<int> result;
  int went_on = 0;
};

class joins : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, joins, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(joins, branch) {
  expect_holds(explore<branch_play>({.on = GetParam()}, false));
  expect_holds(explore<branch_play>({.on = GetParam()}, true));
}
TEST_P(joins, group_of_one) { expect_holds(explore<group_play>({.on = GetParam()}, 1u)); }
TEST_P(joins, group_of_two) { expect_holds(explore<group_play>({.on = GetParam()}, 2u)); }
TEST_P(joins, group_of_three) { expect_holds(explore<group_play>({.on = GetParam()}, 3u)); }
TEST_P(joins, pushed_children) { expect_holds(explore<push_play>({.on = GetParam()})); }
TEST_P(joins, spawn) { expect_holds(explore<spawn_play>({.on = GetParam()})); }
TEST_P(joins, spawn_without_a_heavy_fence_is_found) {
  expect_violated(explore<spawn_play>({.on = GetParam(), .heavy = options::fence::does_nothing}));
}

TEST(model, joins_without_release_are_found) {
  for (const machine on : {machine::pso, machine::views}) {
    const options broken{.on = on, .release_is_relaxed = true};
    expect_violated(explore<branch_play>(broken, false));
    expect_violated(explore<group_play>(broken, 2u));
    expect_violated(explore<push_play>(broken));
    expect_violated(explore<spawn_play>(broken));
  }
}
TEST(model, joins_without_acquire_are_found) {
  const options broken{.on = machine::views, .acquire_is_relaxed = true};
  expect_violated(explore<branch_play>(broken, false));
  expect_violated(explore<group_play>(broken, 2u));
  expect_violated(explore<spawn_play>(broken));
}

/// A child that looks at the group once more after it has counted itself off.
struct curious_play : group_play {
  curious_play() : group_play(2) {}
  void run(unsigned self) override {
    group_play::run(self);
    if (self == 1) {
      pending->none();
    }
  }
};
/// The group's own task forgets the children that it pushed and that were stolen.
struct forgetful_play : push_play {
  void run(unsigned self) override {
    if (self == 0) {
      for (child& each : children) {
        if (!own.push(&each)) {
          own.attend();
        }
      }
      while (child* const mine = own.pop_newest()) {
        mine->run();
      }
      if (pending->none()) {
        rest();
      }
    } else {
      push_play::run(self);
    }
  }
};
/// The waiter announces its wait before its context is saved.
struct hasty_play : branch_play {
  hasty_play() : branch_play(false) {}
  void run(unsigned self) override {
    if (self == 0) {
      if (word->wait(&waiter)) {
        waiter.save();
      }
    } else {
      branch_play::run(self);
    }
  }
};

TEST_P(joins, use_after_the_end_is_found) { expect_violated(explore<curious_play>({.on = GetParam()})); }
TEST_P(joins, pushing_without_counting_is_found) { expect_violated(explore<forgetful_play>({.on = GetParam()})); }
TEST_P(joins, waiting_before_the_context_is_saved_is_found) {
  expect_violated(explore<hasty_play>({.on = GetParam()}));
}

}  // namespace
}  // namespace jackdaw::model
