// A worker whose thread is in an arena of low priority while the worker sleeps: it comes back for whatever the worker
// is woken for, and no arena waits while it sleeps at home. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "model/sleep_world.hpp"

namespace jackdaw::model {
namespace {

using namespace sleeping;

enum class running {
  right,
  leaves_without_a_look,
  is_called_before_it_arrives_and_stays,
  counts_twice,
  is_not_counted_again,
  sleeps_without_a_look,
  lets_a_client_leave_quietly,
};

enum seat : std::uint32_t { own, closed, open, lent };
enum errand : std::uint32_t { none, runs, called };

/// Worker 0 is one of the host, thread 0 its own. What threads_arena.cpp and threads_idle.cpp do. `is_long`: what the
/// arena runs ends only when the thread is called.
struct errand_world : world {
  errand_world(unsigned to_do, bool is_long, running how)
      : world(1, flaw::none), to_do(to_do), is_long(is_long), how(how) {
    sleepers.begin_search();
  }

  // ---- anyone -----------------------------------------------------------------------------------------------------

  void unpark() {
    parked[0].exchange(own, std::memory_order_acq_rel);
    call_home();  // otherwise a futex is woken
  }
  void call_home() {
    policy::full_fence();
    if (on_errand.load(std::memory_order_relaxed) != runs) return;
    if (how != running::counts_twice) sleepers.await();
    std::uint32_t is = runs;
    if (!on_errand.compare_exchange_strong(is, called, std::memory_order_relaxed, std::memory_order_relaxed)) {
      if (how != running::counts_twice) sleepers.begin_search();
      return;
    }
    lock();
    if (visits.get() != 0) leaves.store(1, std::memory_order_relaxed);
    unlock();
    if (sleepers.summon_spare(1, 0) != sleepers_type::none) unpark();
  }
  /// The mutex of the list of visits.
  void lock() {
    while (held.exchange(1, std::memory_order_acquire) != 0) {
      policy::yield();
    }
  }
  void unlock() { held.store(0, std::memory_order_release); }
  void put() {
    waiting.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.summon_any(0, placed(), [](unsigned) { return false; }) != sleepers_type::none) unpark();
  }
  void invite() {
    spare.fetch_add(1, std::memory_order_seq_cst);
    wake_spare();
  }
  void wake_spare() {
    const std::int64_t wanted = spare.load(std::memory_order_seq_cst);
    if (wanted == 0) return;
    policy::full_fence();
    if (sleepers.summon_spare(wanted) != sleepers_type::none) unpark();
  }

  // ---- the worker's thread ----------------------------------------------------------------------------------------

  [[noreturn]] void work() {
    for (;;) {
      if (take_placed()) {
        sleepers.end_search(0, [](unsigned) {});
        wake_spare();
        lanes.set(0);
        ++done;
        sleepers.begin_search();
        continue;
      }
      parked[0].store(closed, std::memory_order_relaxed);
      const auto in_sight = [this](unsigned) { return placed() > 0; };
      if (sleepers.lie_down(0, all(), [this] { ask(); }, in_sight, [](unsigned) {}) == sleepers_type::rest::awake) {
        parked[0].store(own, std::memory_order_relaxed);
      } else {
        sleep();
      }
    }
  }
  void sleep() {
    std::uint32_t is = closed;
    parked[0].compare_exchange_strong(is, open, std::memory_order_acq_rel, std::memory_order_relaxed);
    while ((is = parked[0].load(std::memory_order_acquire)) != own) {
      if (is != lent && spare.load(std::memory_order_seq_cst) > 0) {
        run_errand();
        if (how != running::sleeps_without_a_look) continue;
      }
      while (parked[0].load(std::memory_order_relaxed) == is) {
        policy::yield();
      }
    }
  }
  void run_errand() {
    on_errand.store(runs, std::memory_order_relaxed);
    sleepers.set_away(0, true);
    policy::full_fence();
    if (how == running::leaves_without_a_look || parked[0].load(std::memory_order_relaxed) != own) {
      std::int64_t some = spare.load(std::memory_order_relaxed);
      if (some > 0 &&
          spare.compare_exchange_strong(some, some - 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        wake_spare();
        visit();
      }
    }
    sleepers.set_away(0, false);
    if (on_errand.exchange(none, std::memory_order_relaxed) == called && how != running::is_not_counted_again) {
      sleepers.begin_search();
    }
    policy::full_fence();
  }
  void visit() {
    lock();
    visits.set(1);
    if (how != running::is_called_before_it_arrives_and_stays && on_errand.load(std::memory_order_relaxed) == called) {
      leaves.store(1, std::memory_order_relaxed);
    }
    unlock();
    while (is_long && leaves.load(std::memory_order_relaxed) == 0) {
      policy::yield();
    }
    lock();
    visits.set(0);
    unlock();
    leaves.store(0, std::memory_order_relaxed);
    if (is_long) {
      invite();  // another thread is to go on there
    } else {
      ++visited;
    }
  }

  // ---- a client ---------------------------------------------------------------------------------------------------

  void stand_in() {
    if (parked[0].load(std::memory_order_relaxed) != open || !sleepers.rise(0)) return;
    std::uint32_t is = open;
    if (!parked[0].compare_exchange_strong(is, lent, std::memory_order_acquire, std::memory_order_relaxed)) {
      unpark();
      return;
    }
    lanes.set(1);
    if (!sleepers.end_search_alone([this] { return spare.load(std::memory_order_seq_cst) > 0; })) {
      sleepers.end_search(0, [](unsigned) {});
      wake_spare();
    }
    sleepers.begin_search();
    parked[0].store(open, std::memory_order_release);
    const auto quiet = [this] {
      return placed() == 0 &&
             (how == running::lets_a_client_leave_quietly || spare.load(std::memory_order_seq_cst) == 0);
    };
    if (!sleepers.lie_down_again(0, [this] { ask(); }, quiet)) unpark();
  }

  void finish(ended) override {
    expect(done == to_do && placed() == 0, "what the worker was woken for waits");
    expect(is_long || visited == invited, "an arena waits while the thread sleeps");
    expect(sleepers.notice(0, true) == 0, "somebody counts as searching");
  }

  const unsigned to_do;
  const bool is_long;
  const running how;
  unsigned invited = 1;
  atomic<std::uint32_t> on_errand{none}, leaves{0};
  atomic<std::int64_t> spare{0};
  atomic<std::uint32_t> held{0};
  plain<int> visits{0}, lanes{0};
  unsigned done = 0, visited = 0;
};

/// The worker is woken for something while an arena wants its thread.
struct call_play : errand_world {
  explicit call_play(bool is_long, running how = running::right, bool two = false)
      : errand_world(1, is_long, how), two(two) {
    if (two) invited = 2;
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      work();
    } else if (self == 1) {
      put();
    } else {
      invite();
      if (two) invite();
    }
  }
  const bool two;
};

/// A client stands in for the worker meanwhile.
struct client_play : errand_world {
  explicit client_play(bool is_long, running how = running::right) : errand_world(0, is_long, how) {}
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      work();
    } else if (self == 1) {
      stand_in();
    } else {
      invite();
    }
  }
};

class errands : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, errands, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

/// All executions take minutes.
void expect_none_in(const outcome& found) {
  std::printf("%llu states\n", static_cast<unsigned long long>(found.states));
  EXPECT_EQ(found.violation, "") << found.trace;
}

TEST_P(errands, end_when_the_worker_is_woken) {
  for (const bool is_long : {false, true}) {
    expect_none_in(explore<call_play>({.on = GetParam(), .preemptions = 2}, is_long));
  }
}
TEST_P(errands, are_run_one_after_another) {
  expect_none_in(explore<call_play>({.on = GetParam(), .preemptions = 1}, false, running::right, true));
}
TEST_P(errands, are_run_beside_a_client) {
  for (const bool is_long : {false, true}) {
    expect_none_in(explore<client_play>({.on = GetParam(), .preemptions = 2}, is_long));
  }
}

TEST_P(errands, begun_without_a_look_are_found) {
  expect_violated(explore<call_play>({.on = GetParam(), .preemptions = 3}, true, running::leaves_without_a_look));
}
TEST_P(errands, called_before_they_begin_are_found) {
  expect_violated(
      explore<call_play>({.on = GetParam(), .preemptions = 3}, true, running::is_called_before_it_arrives_and_stays));
}
TEST_P(errands, counted_twice_are_found) {
  expect_violated(explore<call_play>({.on = GetParam(), .preemptions = 3}, true, running::counts_twice));
}
TEST_P(errands, not_counted_again_are_found) {
  expect_violated(explore<call_play>({.on = GetParam(), .preemptions = 3}, true, running::is_not_counted_again));
}
TEST_P(errands, that_pass_others_over_are_found) {
  expect_violated(
      explore<call_play>({.on = GetParam(), .preemptions = 3}, false, running::sleeps_without_a_look, true));
}
TEST_P(errands, missed_by_a_client_are_found) {
  expect_violated(
      explore<client_play>({.on = GetParam(), .preemptions = 3}, false, running::lets_a_client_leave_quietly));
}

}  // namespace
}  // namespace jackdaw::model
