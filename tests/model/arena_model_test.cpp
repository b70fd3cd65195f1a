// A place of an arena, to which threads of the host come: one at a time, and one comes for everything that a worker is
// woken for. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "model/sleep_world.hpp"

namespace jackdaw::model {
namespace {

using namespace sleeping;

enum class coming {
  right,
  vacates_without_a_look,
  touches_the_place_afterwards,
  gives_a_sublet_place_back_quietly,
  leaves_early_without_a_summons,
  leaves_though_it_is_woken_without_a_summons,
};

/// When the host wants the thread that comes first.
enum class recall { never, while_it_runs_something, when_it_has_lain_down };

enum seat : std::uint32_t { own, closed, open, lent, sublet };

/// Worker 0 is a place of an arena. What threads_arena.cpp does. Threads of the host wait for summonses for ever.
struct arena_world : world {
  arena_world(unsigned to_do, coming how) : world(1, flaw::none), how(how), to_do(to_do) {
    put_to_sleep(0);
    parked[0].store(open, std::memory_order_relaxed);
  }

  // ---- anyone -----------------------------------------------------------------------------------------------------

  void unpark() {
    const std::uint32_t was = parked[0].exchange(own, std::memory_order_acq_rel);
    if (was == open || was == lent) summon();
  }
  /// The host's queue has a lock.
  void summon() { expect(summonses.fetch_add(1, std::memory_order_acq_rel) == 0, "a summons is queued twice"); }
  void put() {
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.summon_any(0, placed(), [](unsigned) { return false; }) != sleepers_type::none) unpark();
  }

  // ---- a thread of the host ---------------------------------------------------------------------------------------

  [[noreturn]] void serve(int me, recall recalled = recall::never) {
    for (;;) {
      std::uint32_t one = 1;
      if (summonses.compare_exchange_strong(one, 0, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        while (!vacate(me, recalled == recall::while_it_runs_something ? leave_early(me) : occupy(me), recalled)) {
        }
        recalled = recall::never;
      } else {
        policy::yield();
      }
    }
  }
  void enter(int me) {
    expect(inside.fetch_add(1, std::memory_order_acq_rel) == 0, "two threads are in a place");
    lanes.set(me);
  }
  void leave() { inside.fetch_sub(1, std::memory_order_acq_rel); }

  /// The worker counts as searching. Returns whether it has lain down.
  bool occupy(int me) {
    enter(me);
    for (;;) {
      while (take_placed()) {
        sleepers.end_search(0, [](unsigned) {});
        lanes.set(me);
        ++done;
        sleepers.begin_search();
      }
      if (wants_place.exchange(0, std::memory_order_acquire) != 0) {
        sublet_to_client();
        continue;
      }
      parked[0].store(closed, std::memory_order_relaxed);
      const auto in_sight = [this](unsigned) {
        return placed() > 0 || wants_place.load(std::memory_order_seq_cst) != 0;
      };
      const auto outcome = sleepers.lie_down(0, all(), [this] { ask(); }, in_sight, [](unsigned) {});
      if (outcome != sleepers_type::rest::awake) break;
      parked[0].store(own, std::memory_order_relaxed);
    }
    leave();
    return true;
  }
  /// Recalled while it runs something: what is left waits for another thread.
  bool leave_early(int me) {
    enter(me);
    (void)sleepers.end_search_alone([] { return false; });
    leave();
    return false;
  }
  bool vacate(int me, bool lies_down, recall recalled) {
    if (!lies_down) {
      sleepers.begin_search();
      if (how != coming::leaves_early_without_a_summons) summon();
      return true;
    }
    std::uint32_t is = closed;
    if (how == coming::vacates_without_a_look) {
      parked[0].store(open, std::memory_order_release);
      return true;
    }
    const bool gone = parked[0].compare_exchange_strong(is, open, std::memory_order_acq_rel, std::memory_order_acquire);
    if (gone && how == coming::touches_the_place_afterwards) {
      enter(me);
      leave();
    }
    if (!gone && recalled == recall::when_it_has_lain_down) {
      if (how != coming::leaves_though_it_is_woken_without_a_summons) summon();
      return true;
    }
    return gone;
  }
  void sublet_to_client() {
    (void)sleepers.end_search_alone([] { return false; });
    leave();
    parked[0].store(sublet, std::memory_order_relaxed);
    place.store(1, std::memory_order_release);
    while (parked[0].load(std::memory_order_acquire) != own) {
      policy::yield();
    }
    enter(0);
  }

  // ---- a client of the arena --------------------------------------------------------------------------------------

  /// Borrows the place if it is open.
  bool borrow() {
    if (parked[0].load(std::memory_order_relaxed) != open || !sleepers.rise(0)) return false;
    std::uint32_t is = open;
    if (!parked[0].compare_exchange_strong(is, lent, std::memory_order_acquire, std::memory_order_relaxed)) {
      unpark();
      return false;
    }
    enter(7);
    leave();
    return true;
  }
  /// Demands it from the thread that is in it, or comes to it.
  void demand() {
    wants_place.store(1, std::memory_order_seq_cst);
    if (sleepers.rise(0)) unpark();
    while (place.load(std::memory_order_acquire) == 0) {
      policy::yield();
    }
    enter(8);
    leave();
    sleepers.begin_search();
  }
  /// The worker counts as searching.
  void give_back(bool quietly) {
    const bool is_lent = parked[0].load(std::memory_order_relaxed) == lent;
    if (quietly && (is_lent || how == coming::gives_a_sublet_place_back_quietly)) {
      parked[0].store(open, std::memory_order_release);
      if (sleepers.lie_down_again(0, [this] { ask(); }, [this] { return placed() == 0; })) return;
    }
    unpark();
  }

  void finish(ended) override {
    expect(done + taken_by_client == to_do, "nobody comes for something to do");
    expect(placed() == 0, "something is left");
    expect(summonses.load(std::memory_order_relaxed) == 0, "a summons is left");
  }

  const coming how;
  const unsigned to_do;
  atomic<std::uint32_t> summonses{0}, wants_place{0}, place{0};
  atomic<int> inside{0};
  plain<int> lanes{0};
  unsigned done = 0, taken_by_client = 0;
};

/// Two threads of the host, of which the first may have to leave early; a third thread has two things done, one after
/// the other.
struct visit_play : arena_world {
  explicit visit_play(coming how = coming::right, recall leaves = recall::never)
      : arena_world(2, how), leaves(leaves) {}
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 2) {
      put();
      put();
    } else {
      serve(static_cast<int>(self), self == 0 ? leaves : recall::never);
    }
  }
  const recall leaves;
};

/// A client stands in, while a thread of the host is summoned.
struct borrow_play : arena_world {
  explicit borrow_play(bool quietly, coming how = coming::right) : arena_world(1, how), quietly(quietly) {}
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      serve(0);
    } else if (self == 1) {
      if (borrow()) give_back(quietly);
    } else {
      put();
    }
  }
  const bool quietly;
};

/// A client demands the place, while another thread of the host may be summoned.
struct demand_play : arena_world {
  explicit demand_play(coming how = coming::right) : arena_world(1, how) {}
  unsigned threads() const override { return 4; }
  void run(unsigned self) override {
    if (self < 2) {
      serve(static_cast<int>(self));
    } else if (self == 2) {
      demand();
      give_back(true);
    } else {
      put();
    }
  }
};

class arena_places : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, arena_places, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

/// All executions take minutes on `views`.
options on(machine which, unsigned preemptions) {
  return {.on = which, .preemptions = which == machine::views ? preemptions : ~0u};
}

TEST_P(arena_places, have_a_thread_for_what_is_to_do) {
  const outcome found = explore<visit_play>(on(GetParam(), 2));
  EXPECT_EQ(found.violation, "") << found.trace;
}
TEST_P(arena_places, are_left_early) {
  for (const recall when : {recall::while_it_runs_something, recall::when_it_has_lain_down}) {
    const outcome found = explore<visit_play>({.on = GetParam(), .preemptions = 2}, coming::right, when);
    EXPECT_EQ(found.violation, "") << found.trace;
  }
}
TEST_P(arena_places, are_borrowed) {
  for (const bool quietly : {false, true}) expect_holds(explore<borrow_play>({.on = GetParam()}, quietly));
}
TEST_P(arena_places, are_sublet) {
  const outcome found = explore<demand_play>(on(GetParam(), 1));
  EXPECT_EQ(found.violation, "") << found.trace;
}

TEST_P(arena_places, vacated_without_a_look_are_found) {
  expect_violated(explore<visit_play>({.on = GetParam()}, coming::vacates_without_a_look));
}
TEST_P(arena_places, touched_afterwards_are_found) {
  expect_violated(explore<visit_play>({.on = GetParam()}, coming::touches_the_place_afterwards));
}
TEST_P(arena_places, left_early_without_a_summons_are_found) {
  const auto when = recall::while_it_runs_something;
  expect_violated(explore<visit_play>({.on = GetParam()}, coming::leaves_early_without_a_summons, when));
}
TEST_P(arena_places, left_when_woken_without_a_summons_are_found) {
  const auto when = recall::when_it_has_lain_down;
  expect_violated(explore<visit_play>({.on = GetParam()}, coming::leaves_though_it_is_woken_without_a_summons, when));
}
TEST_P(arena_places, sublet_and_given_back_quietly_are_found) {
  expect_violated(explore<demand_play>({.on = GetParam()}, coming::gives_a_sublet_place_back_quietly));
}

}  // namespace
}  // namespace jackdaw::model
