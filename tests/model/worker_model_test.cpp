// A worker's two deques and its mailbox: a task that makes way, also below a full deque, and one that suspends. Its
// rest continues exactly once, where its own entries are, and its parent's group counts the children that ran apart
// from it.
#include <gtest/gtest.h>

#include <utility>

#include "jackdaw/detail/deque.hpp"
#include "jackdaw/detail/join_latch.hpp"
#include "jackdaw/detail/pending.hpp"
#include "model/report.hpp"
#include "runtime/mailbox.hpp"

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
  plain<int> context;  // where it continues; 0 while it is not suspended
  rest parent, self;
};

enum class fault {
  none,
  shared_overflow,         // what finds no room in one deque is popped first from whichever is looked at
  taken_back,              // what must stay is pushed as a fork is, and taken back from a full deque
  seen_before_saved,       // a fiber is exposed before its context is saved
  not_replaced,            // a child suspends, and the exposed entry still lies on its stack
  replaced_but_uncounted,  // the parent continues alone, uncounted by its group
};

struct play {
  std::size_t capacity;  // of the deque that the child is forked on: with 1 exactly full, with 0 there is no room
  bool suspends;         // the child waits for the mail
  const char* robbed;    // what worker 1 tries at that deque: s steals, f forces
};

/// Worker 0 runs `parent`, which spawns `child` work-first in the migrated lane, and gets mail, which it runs in the
/// local one. Worker 1 posts the mail, then robs the migrated lane.
struct worker_play : scenario {
  using deque_type = detail::basic_deque<policy, rest>;
  using joint_type = detail::basic_join_latch<policy, fiber>;
  enum stage { after_spawn = 1, after_wait, exposed, unexposed, joined, joined_unexposed };

  worker_play(const play& what, fault broken) : what(what), broken(broken) {
    local.open(local_slots, 1);
    migrated.open(migrated_slots, what.capacity);
    child.parent.of = &parent;
    child.parent.of_parent = true;
    child.self.of = &child;
    parent.self.of = &parent;
  }
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      active = &migrated;
      go_on(0, spawn());
      while (find()) {
      }
      return;
    }
    expect(mailbox.post(sched::item(1)), "the mailbox is full");
    local.summon();
    migrated.summon();
    for (const char* how = what.robbed; *how != '\0'; ++how) {
      fiber* found = nullptr;
      const auto take = [&](rest* oldest) { found = claim(oldest); };
      *how == 's' ? migrated.steal(take) : migrated.force(take);
      go_on(1, found);
    }
  }

  // ---- the parts of task_group::spawn, attend, worker::suspend and the loop -----------------------------------------

  fiber* claim(rest* taken) {
    fiber* const of = taken->of;
    if (taken->of_parent) {
      pending.add();
      lies_on_child = false;
    }
    taken->claimed.store(true, std::memory_order_release);
    return of;
  }

  fiber* spawn() {
    parent.context.set(after_spawn);
    child.parent.claimed.store(false, std::memory_order_relaxed);
    bool full = false;
    lies_on_child = true;
    if (!migrated.push(&child.parent)) {
      full = migrated.attend() == deque_type::attention::full;
      lies_on_child = lies_on_child && !full;
      if (mailbox.full()) {
        preempt(full ? unexposed : exposed);
        return nullptr;
      }
    }
    return begin_join(0, full ? unexposed : exposed);
  }

  void preempt(stage at) {
    if (broken == fault::seen_before_saved) {
      keep(&child.self);
      child.context.set(at);
      return;
    }
    child.context.set(at);
    keep(&child.self);
  }

  void keep(rest* what) {
    what->claimed.store(false, std::memory_order_relaxed);
    if (!active->push(what)) {
      if (broken == fault::shared_overflow || broken == fault::taken_back) {
        if (active->attend() == deque_type::attention::full && broken == fault::shared_overflow) {
          overflow = what;
        }
      } else {
        active->serve();
      }
    }
  }

  fiber* begin_join(unsigned on, stage how) {
    if (how == unexposed) {
      child.parent.claimed.store(true, std::memory_order_relaxed);
    }
    const stage after = how == unexposed ? joined_unexposed : joined;
    if (!what.suspends || mail.settled()) {
      return end_child(on, after);
    }
    // Worker 1 has nothing in its own deques: there the parent has been claimed.
    if (!child.parent.claimed.load(std::memory_order_acquire) && broken != fault::not_replaced && on == 0) {
      active->replace(&child.parent, &parent.self, [&] {
        child.parent.claimed.store(true, std::memory_order_relaxed);
        lies_on_child = false;
        if (broken != fault::replaced_but_uncounted) {
          pending.add();
        }
      });
    }
    child.context.set(after);
    return mail.wait(&child) ? nullptr : &child;
  }

  fiber* end_child(unsigned on, stage how) {
    result.set(42);
    if (how == joined_unexposed || (on == 0 && active->pop(&child.parent))) {
      lies_on_child = false;
      return &parent;
    }
    expect(!lies_on_child, "a stack is given back, and something that others may take lies on it");
    return pending.end() ? pending.restart() : nullptr;
  }

  fiber* wait() {
    if (pending.none()) {
      end_parent();
      return nullptr;
    }
    parent.context.set(after_wait);
    return pending.wait(&parent) ? pending.restart() : nullptr;
  }

  void end_parent() {
    expect(result.get() == 42, "the parent goes on before its child has ended");
    expect(pending.none(), "the group goes on with children left");
    ++went_on;
  }

  /// Enters fibers until one leaves without a successor.
  void go_on(unsigned on, fiber* next) {
    while (next != nullptr) {
      const int at = next->context.get();
      expect(at != 0, "a fiber is entered that is not suspended");
      next->context.set(0);
      switch (at) {
        case after_spawn:
          next = wait();
          break;
        case after_wait:
          end_parent();
          next = nullptr;
          break;
        case exposed:
        case unexposed:
          next = begin_join(on, static_cast<stage>(at));
          break;
        default:
          next = end_child(on, static_cast<stage>(at));
      }
    }
  }

  fiber* pop(deque_type& from) {
    active = &from;
    if (overflow != nullptr) {
      return claim(std::exchange(overflow, nullptr));
    }
    rest* const newest = from.pop_newest();
    return newest != nullptr ? claim(newest) : nullptr;
  }

  /// Runs what there is; false: nothing, and nothing will come.
  bool find() {
    active = &local;
    if (mailbox.collect()) {
      ++mails;
      go_on(0, mail.settle(joint_type::result::ended));
      return true;
    }
    fiber* found = pop(local);
    found = found == nullptr ? pop(migrated) : found;
    if (found != nullptr) {
      go_on(0, found);
      return true;
    }
    if (mails == 0) {
      while (!mailbox.full()) {
        policy::pause();
      }
    }
    return mails == 0;
  }

  void finish(ended who) override {
    expect(all(who), "a thread waits for ever");
    expect(mails == 1, "the mail is lost");
    expect(went_on == 1, "the parent does not go on exactly once");
  }

  const play what;
  const fault broken;
  deque_type local, migrated;
  deque_type::slot local_slots[3], migrated_slots[4];
  deque_type* active = nullptr;  // worker 0's
  rest* overflow = nullptr;
  detail::basic_mailbox<policy> mailbox;
  joint_type mail;
  detail::basic_pending<policy, fiber> pending;
  fiber parent, child;
  plain<int> result;
  int mails = 0;
  int went_on = 0;
  bool lies_on_child = false;  // the parent's rest is in a deque; known at once, unlike to any worker of the model
};

class workers : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, workers, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(workers, task_that_makes_way_with_room_left) {
  expect_holds(explore<worker_play>({.on = GetParam()}, play{2, false, "s"}, fault::none));
}
TEST_P(workers, task_that_makes_way_below_a_full_deque) {
  expect_holds(explore<worker_play>({.on = GetParam()}, play{1, false, "ss"}, fault::none));
  expect_holds(explore<worker_play>({.on = GetParam()}, play{1, false, "f"}, fault::none));
}
TEST_P(workers, task_that_makes_way_and_has_found_no_room) {
  expect_holds(explore<worker_play>({.on = GetParam()}, play{0, false, "sf"}, fault::none));
}
TEST_P(workers, task_that_suspends_after_it_made_way) {
  expect_holds(explore<worker_play>({.on = GetParam()}, play{1, true, "s"}, fault::none));
  expect_holds(explore<worker_play>({.on = GetParam()}, play{1, true, "f"}, fault::none));
  expect_holds(explore<worker_play>({.on = GetParam()}, play{0, true, "s"}, fault::none));
}

TEST_P(workers, one_overflow_for_both_deques_is_found) {
  expect_violated(explore<worker_play>({.on = GetParam()}, play{1, false, ""}, fault::shared_overflow));
}
TEST_P(workers, taking_back_a_kept_entry_is_found) {
  expect_violated(explore<worker_play>({.on = GetParam()}, play{1, false, ""}, fault::taken_back));
}
TEST_P(workers, exposing_before_the_context_is_saved_is_found) {
  expect_violated(explore<worker_play>({.on = GetParam()}, play{1, false, "ss"}, fault::seen_before_saved));
}
TEST_P(workers, suspending_without_replacing_the_parent_is_found) {
  expect_violated(explore<worker_play>({.on = GetParam()}, play{1, true, "s"}, fault::not_replaced));
}
TEST_P(workers, a_parent_that_continues_uncounted_is_found) {
  expect_violated(explore<worker_play>({.on = GetParam()}, play{1, true, ""}, fault::replaced_but_uncounted));
}
TEST(model, workers_without_release_or_acquire_are_found) {
  for (const machine on : {machine::pso, machine::views}) {
    expect_violated(explore<worker_play>({.on = on, .release_is_relaxed = true}, play{1, true, "s"}, fault::none));
  }
  expect_violated(
      explore<worker_play>({.on = machine::views, .acquire_is_relaxed = true}, play{1, true, "s"}, fault::none));
}

}  // namespace
}  // namespace jackdaw::model
