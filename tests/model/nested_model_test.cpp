// A child whose parent found no room in the deque is called like a function. Where it suspends, its parent leaves with it;
// and the parent may itself be a child whose own parent lies in the deque.
#include <gtest/gtest.h>

#include "jackdaw/detail/deque.hpp"
#include "jackdaw/detail/joint.hpp"
#include "jackdaw/detail/pending.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

struct fiber;

/// detail::continuation.
struct rest {
  fiber* of = nullptr;
  bool of_parent = false;
  atomic<bool> claimed{true};
};

struct fiber {
  plain<int> context;  // where it goes on; 0 while it is not suspended
  rest parent, self;
};

enum class fault {
  none,
  own_entry_only,  // who suspends looks for its own parent's entry, not for that of a caller
  uncounted,       // the entry is replaced, and the group of the one who goes on alone does not know
};

/// Worker 0 runs `elder`, which spawns `parent` work-first and so takes the last room; `parent` spawns `child`, which waits for
/// what worker 1 settles. Worker 1 then robs the deque as `robbed` says: s steals, f forces.
struct nested_play : scenario {
  using deque_type = detail::basic_deque<policy, rest>;
  using joint_type = detail::basic_joint<policy, fiber>;
  enum stage { elder_spawned = 1, elder_waits, child_waits };

  nested_play(const char* robbed, fault broken) : robbed(robbed), broken(broken) {
    deque.open(slots, 1);
    elder.self.of = &elder;
    parent.parent.of = &elder;
    parent.parent.of_parent = true;
  }
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      spawn();
      for (rest* newest = deque.pop_newest(); newest != nullptr; newest = deque.pop_newest()) {
        go_on(0, claim(newest));
      }
      return;
    }
    go_on(1, signal.settle(joint_type::result::ended));
    for (const char* how = robbed; *how != '\0'; ++how) {
      fiber* found = nullptr;
      const auto take = [&](rest* oldest) { found = claim(oldest); };
      *how == 's' ? deque.steal(take) : deque.force(take);
      go_on(1, found);
    }
  }

  // ---- what is under task_group::spawn, worker::suspend and the loop --------------------------------------------------

  fiber* claim(rest* taken) {
    if (taken->of_parent) {
      children.add();
      lies_on_parent = false;
    }
    taken->claimed.store(true, std::memory_order_release);
    return taken->of;
  }

  void spawn() {
    elder.context.set(elder_spawned);
    parent.parent.claimed.store(false, std::memory_order_relaxed);
    lies_on_parent = true;
    if (!deque.push(&parent.parent)) deque.serve();
    // The child finds no room: no entry, and its parent is not suspended but calls it.
    const bool full = !deque.push(&child.parent) && deque.attend() == deque_type::attention::full;
    expect(full, "there was room for the child's parent");
    go_on(0, wait_for_signal());
  }

  fiber* wait_for_signal() {
    if (signal.settled()) {
      child.context.set(child_waits);
      return &child;
    }
    if (!parent.parent.claimed.load(std::memory_order_acquire) && broken != fault::own_entry_only) {
      deque.replace(&parent.parent, &elder.self, [&] {
        elder.self.claimed.store(false, std::memory_order_relaxed);
        parent.parent.claimed.store(true, std::memory_order_relaxed);
        lies_on_parent = false;
        if (broken != fault::uncounted) children.add();
      });
    }
    child.context.set(child_waits);
    return signal.wait(&child) ? nullptr : &child;
  }

  /// The child returns into its parent, which ends.
  fiber* end_both(unsigned on) {
    result.set(42);
    if (on == 0 && deque.pop(&parent.parent)) {
      lies_on_parent = false;
      return &elder;
    }
    expect(!lies_on_parent, "a stack is given back, and something that others may take lies on it");
    return children.end() ? children.restart() : nullptr;
  }

  fiber* wait() {
    if (children.none()) {
      end_elder();
      return nullptr;
    }
    elder.context.set(elder_waits);
    return children.wait(&elder) ? children.restart() : nullptr;
  }

  void end_elder() {
    expect(result.get() == 42, "the elder goes on before its child has ended");
    expect(children.none(), "the group goes on with children left");
    ++went_on;
  }

  /// Enters fibers until one leaves without a successor.
  void go_on(unsigned on, fiber* next) {
    while (next != nullptr) {
      const int at = next->context.get();
      expect(at != 0, "a fiber is entered that is not suspended");
      next->context.set(0);
      if (at == child_waits) {
        next = end_both(on);
      } else if (at == elder_spawned) {
        next = wait();
      } else {
        end_elder();
        next = nullptr;
      }
    }
  }

  void finish(ended who) override {
    expect(all(who), "a thread waits for ever");
    expect(went_on == 1, "the elder does not go on exactly once");
  }

  const char* const robbed;
  const fault broken;
  deque_type deque;
  deque_type::slot slots[4];
  joint_type signal;
  detail::basic_pending<policy, fiber> children;  // of the elder
  fiber elder, parent, child;
  plain<int> result;
  int went_on = 0;
  bool lies_on_parent = false;  // the elder's rest is in the deque; known at once, as nobody in the play could
};

class nested : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, nested, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(nested, children_without_room_leave_with_their_callers) {
  for (const char* robbed : {"", "s", "ss", "f"}) {
    expect_holds(explore<nested_play>({.on = GetParam()}, robbed, fault::none));
  }
}
TEST_P(nested, looking_for_ones_own_entry_only_is_found) {
  expect_violated(explore<nested_play>({.on = GetParam()}, "", fault::own_entry_only));
}
TEST_P(nested, an_elder_that_goes_on_uncounted_is_found) {
  expect_violated(explore<nested_play>({.on = GetParam()}, "", fault::uncounted));
}

}  // namespace
}  // namespace jackdaw::model
