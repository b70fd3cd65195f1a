// A chain of work-first children below a full deque. A child that finds no room is called like a function, and when the
// last one suspends, it and its callers leave together. They may end on another worker, while the parent of the nearest
// exposed child continues from the deque that they have left.
#include <gtest/gtest.h>

#include "jackdaw/detail/deque.hpp"
#include "jackdaw/detail/join_latch.hpp"
#include "jackdaw/detail/pending.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

struct fiber;
using group = detail::basic_pending<policy, fiber>;

/// Where a fiber continues; 0 while it runs or has called a child.
enum stage { running = 0, after_spawn, after_wait, stack_given_back };

/// detail::continuation.
struct rest {
  fiber* of = nullptr;
  group* counts = nullptr;  // of a parent
  plain<stage> context;     // of a parent
  atomic<bool> claimed{true};
};

struct fiber {
  rest parent, self;
  plain<stage> context;
  plain<bool> exposed{true};
  plain<bool> ended{false};
  group children;
};

enum class fault {
  none,
  own_entry_only,   // the entry of the fiber that suspends is looked at, and not those of its callers
  one_caller_only,  // and that of its caller, and no other
  outermost,        // the entry that is replaced is the one at the other end of the chain
  uncounted,        // the parent that continues alone is not counted by its group
  context_kept,     // that parent's context is left in the entry
};

struct play {
  unsigned fibers;       // of which each spawns the next
  std::size_t capacity;  // how many of them find room
  const char* other;     // worker 1's actions: s steals, f forces, e ends what the last one waits for and resumes it
};

/// Worker 0 runs the chain down to the last one, which waits for worker 1; then what is left in its deque.
struct chain_play : scenario {
  using deque_type = detail::basic_deque<policy, rest>;
  using joint_type = detail::basic_join_latch<policy, fiber>;

  chain_play(const play& what, fault broken) : what(what), broken(broken) {
    deque.open(slots, what.capacity);
    for (unsigned i = 0; i < what.fibers; ++i) {
      chain[i].self.of = &chain[i];
      if (i > 0) {
        chain[i].parent.of = &chain[i - 1];
        chain[i].parent.counts = &chain[i - 1].children;
      }
    }
  }
  unsigned threads() const override { return 2; }

  void run(unsigned self) override {
    if (self == 0) {
      go_on(0, begin(chain));
      while (rest* const newest = deque.pop_newest()) {
        go_on(0, claim(newest));
      }
      return;
    }
    for (const char* how = what.other; *how != '\0'; ++how) {
      fiber* found = nullptr;
      const auto take = [&](rest* oldest) { found = claim(oldest); };
      switch (*how) {
        case 's':
          deque.steal(take);
          break;
        case 'f':
          deque.force(take);
          break;
        default:
          found = awaited.settle(joint_type::result::ended);
      }
      go_on(1, found);
    }
  }

  // ---- the parts of task_group::spawn, attend, worker::suspend and the loop -----------------------------------------

  /// Before others can take `of`.
  void save(fiber* of, stage at) {
    expect(of->context.get() == running, "a fiber is suspended twice");
    of->context.set(at);
  }

  fiber* claim(rest* taken) {
    fiber* const of = taken->of;
    if (taken->counts != nullptr) {
      const stage at = taken->context.get();
      expect(at != stack_given_back, "an entry is claimed that lies on the stack of a fiber that has ended");
      save(of, at);
      taken->counts->add();
    }
    taken->claimed.store(true, std::memory_order_release);
    return of;
  }

  /// Each spawns the next one; the last one waits.
  fiber* begin(fiber* first) {
    fiber* const last = chain + what.fibers - 1;
    for (fiber* self = first; self != last; ++self) {
      self[1].parent.context.set(after_spawn);
      expose(self + 1);
    }
    if (awaited.settled()) {
      return end(0, last);
    }
    suspend(0, last);
    return awaited.wait(last) ? nullptr : last;
  }

  void expose(fiber* child) {
    child->parent.claimed.store(false, std::memory_order_relaxed);
    if (!deque.push(&child->parent) && deque.attend() == deque_type::attention::full) {
      child->parent.claimed.store(true, std::memory_order_relaxed);
      child->exposed.set(false);
    }
  }

  /// The rest runs off the fiber's stack.
  void suspend(unsigned on, fiber* self) {
    fiber* child = self;
    if (broken == fault::one_caller_only && !child->exposed.get()) {
      child = child->parent.of;
    } else if (broken == fault::outermost) {
      child = chain + 1;
    } else if (broken != fault::own_entry_only && broken != fault::one_caller_only) {
      while (!child->exposed.get()) {
        child = child->parent.of;
      }
    }
    // Nothing is ever pushed on worker 1.
    if (!child->parent.claimed.load(std::memory_order_acquire) && on == 0) {
      fiber* const parent = child->parent.of;
      deque.replace(&child->parent, &parent->self, [&] {
        child->parent.claimed.store(true, std::memory_order_relaxed);
        if (broken != fault::context_kept) {
          save(parent, child->parent.context.get());
        }
        if (broken != fault::uncounted) {
          child->parent.counts->add();
        }
      });
    }
    save(self, after_wait);
  }

  fiber* wait(unsigned on, fiber* self) {
    if (self->children.none()) {
      return end(on, self);
    }
    suspend(on, self);
    return self->children.wait(self) ? self->children.restart() : nullptr;
  }

  /// The end of a child, by itself or as its parent's callee; the next fiber if the stack is left for good.
  fiber* end(unsigned on, fiber* self) {
    expect(self == chain + what.fibers - 1 || self[1].ended.get(), "a parent goes on before its child has ended");
    expect(self->children.none(), "a group goes on with children left");
    // A worker runs a fiber to its end or until it is saved, so one of two workers that run the same fiber notices it.
    expect(!self->ended.get(), "a fiber has run on two workers");
    self->ended.set(true);
    if (self == chain) {
      ++ends;
      return nullptr;
    }
    const stage back = self->parent.context.get();
    const bool alone = on != 0 || !deque.pop(&self->parent);
    const bool exposed = self->exposed.get();
    self->parent.context.set(stack_given_back);
    if (alone && exposed) {
      group& counts = *self->parent.counts;
      return counts.end() ? counts.restart() : nullptr;
    }
    expect(self->parent.of->context.get() == running, "a child returns to a parent that others can take");
    return resume(on, self->parent.of, back);
  }

  fiber* resume(unsigned on, fiber* self, stage at) { return at == after_spawn ? wait(on, self) : end(on, self); }

  /// Enters fibers until one leaves without a successor.
  void go_on(unsigned on, fiber* next) {
    while (next != nullptr) {
      const stage at = next->context.get();
      expect(at == after_spawn || at == after_wait, "a fiber is entered whose context is not saved");
      next->context.set(running);
      next = resume(on, next, at);
    }
  }

  void finish(scenario::ended who) override {
    expect(all(who), "a thread waits for ever");
    expect(ends == 1, "the first fiber does not end exactly once");
  }

  const play what;
  const fault broken;
  deque_type deque;  // worker 0's
  deque_type::slot slots[5];
  joint_type awaited;
  fiber chain[4];
  int ends = 0;
};

class without_room : public testing::TestWithParam<machine> {
 protected:
  static void holds(const play& what) { expect_holds(explore<chain_play>({.on = GetParam()}, what, fault::none)); }
  static void is_found(const play& what, fault broken) {
    expect_violated(explore<chain_play>({.on = GetParam()}, what, broken));
  }
};
INSTANTIATE_TEST_SUITE_P(model, without_room, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(without_room, child_that_suspends_takes_its_caller_along) {
  holds({3, 1, "e"});
  holds({3, 1, "se"});
  holds({3, 1, "es"});
  holds({3, 1, "fe"});
  holds({3, 1, "ef"});
}
TEST_P(without_room, all_callers_leave_together) {
  holds({4, 1, "se"});
  holds({4, 1, "es"});
}
TEST_P(without_room, no_caller_is_exposed) { holds({3, 0, "se"}); }
TEST_P(without_room, all_callers_are_exposed) {
  holds({3, 2, "se"});
  holds({3, 2, "es"});
}
TEST_P(without_room, some_callers_are_exposed) { holds({4, 2, "se"}); }

TEST_P(without_room, looking_at_the_own_entry_only_is_found) {
  is_found({3, 1, "e"}, fault::own_entry_only);
  is_found({3, 1, "ef"}, fault::own_entry_only);
}
TEST_P(without_room, looking_at_one_caller_only_is_found) { is_found({4, 1, "e"}, fault::one_caller_only); }
TEST_P(without_room, replacing_the_outermost_entry_is_found) { is_found({4, 2, "e"}, fault::outermost); }
TEST_P(without_room, a_parent_that_continues_uncounted_is_found) { is_found({3, 1, "e"}, fault::uncounted); }
TEST_P(without_room, a_context_left_on_the_stack_of_the_child_is_found) { is_found({3, 1, "e"}, fault::context_kept); }
TEST(model, callers_without_release_or_acquire_are_found) {
  const play what{3, 1, "fe"};
  for (const machine on : {machine::pso, machine::views}) {
    expect_violated(explore<chain_play>({.on = on, .release_is_relaxed = true}, what, fault::none));
  }
  expect_violated(explore<chain_play>({.on = machine::views, .acquire_is_relaxed = true}, what, fault::none));
}

}  // namespace
}  // namespace jackdaw::model
