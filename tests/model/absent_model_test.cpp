// Whoever ends the last child of a oneTBB task_group (compat/tbb) and finds a waiter is out of the group before that
// goes on, which may destroy the group.
#include <gtest/gtest.h>

#include <mutex>

#include "jackdaw/detail/atomics.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

enum class ending {
  right,
  subtracts_before_it_has_the_lock,
  waiter_does_not_look_at_the_lock,
};

/// What `absent` does. Thread 0 waits, and destroys the group when thread 2, which runs another child meanwhile, has
/// returned. Thread 1 ends a child.
struct absent_world : scenario {
  explicit absent_world(ending how) : how(how) {}

  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      wait();
      while (returned.load(std::memory_order_acquire) == 0) policy::yield();
      group.set(0);
    } else if (self == 1) {
      end();
    } else {
      word.fetch_add(one, std::memory_order_relaxed);
      end();
      returned.store(1, std::memory_order_release);
    }
  }

  void wait() {
    while (word.load(std::memory_order_acquire) >= one) {
      {
        const std::lock_guard hold(lock);
        waiter.set(1);
        if (word.fetch_or(waited_for, std::memory_order_acq_rel) == 0) wake_all();
      }
      while (woken.load(std::memory_order_acquire) == 0) policy::yield();
      woken.store(0, std::memory_order_relaxed);
      if (how != ending::waiter_does_not_look_at_the_lock) const std::lock_guard until_whoever_wakes_is_out(lock);
    }
  }
  void end() {
    if (how == ending::subtracts_before_it_has_the_lock) {
      if (word.fetch_sub(one, std::memory_order_acq_rel) != one + waited_for) return;
      use_group();
      const std::lock_guard hold(lock);
      wake_all();
      use_group();
      return;
    }
    for (std::uint32_t seen = word.load(std::memory_order_relaxed); seen != one + waited_for;) {
      if (word.compare_exchange_strong(seen, seen - one, std::memory_order_acq_rel, std::memory_order_relaxed)) return;
    }
    const std::lock_guard hold(lock);
    if (word.fetch_sub(one, std::memory_order_acq_rel) == one + waited_for) wake_all();
    use_group();
  }
  void wake_all() {
    word.fetch_and(~waited_for, std::memory_order_relaxed);
    if (waiter.get() == 0) return;
    waiter.set(0);
    woken.store(1, std::memory_order_release);
  }
  void use_group() { expect(group.get() == 1, "the group is gone"); }

  void finish(scenario::ended who) override { expect(all(who), "a waiter is not woken"); }

  static constexpr std::uint32_t waited_for = 1, one = 2;
  const ending how;
  detail::spin_lock<policy> lock;
  atomic<std::uint32_t> word{one}, woken{0}, returned{0};
  plain<int> waiter{0}, group{1};
};

class absents : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, absents, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(absents, end_before_the_waiter_goes_on) {
  expect_holds(explore<absent_world>({.on = GetParam()}, ending::right));
}
TEST_P(absents, that_subtract_too_early_are_found) {
  expect_violated(explore<absent_world>({.on = GetParam()}, ending::subtracts_before_it_has_the_lock));
}
TEST_P(absents, whose_waiter_does_not_look_are_found) {
  expect_violated(explore<absent_world>({.on = GetParam()}, ending::waiter_does_not_look_at_the_lock));
}

}  // namespace
}  // namespace jackdaw::model
