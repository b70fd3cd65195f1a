// Tasks that return to a thread: a worker that lies down does not miss one, or a client that wants its place for one;
// and a place that is lent on demand has one thread at a time. src/runtime/README-return.md.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "model/sleep_world.hpp"

namespace jackdaw::model {
namespace {

using namespace sleeping;

enum class returning {
  right,
  looks_for_the_sleeper_first,
  lies_down_without_a_look,
  lends_and_goes_on,
  gives_back_quietly
};

enum seat : std::uint32_t { own, closed, open, lent };

/// Worker 0 has nothing to run. What threads_idle.cpp, threads_stand_in.cpp and tied.cpp do.
struct return_world : world {
  explicit return_world(returning how) : world(1, flaw::none), how(how) { sleepers.begin_search(); }

  unsigned threads() const override { return 2; }

  // ---- worker 0 ---------------------------------------------------------------------------------------------------

  /// Searches and sleeps until it has run what returns to it, and lent its place as often as it is to.
  void live(int to_run, int to_lend) {
    while (to_run > 0 || to_lend > 0) {
      if (returns.load(std::memory_order_relaxed) > 0) {
        returns.fetch_sub(1, std::memory_order_relaxed);
        lanes.set(1);
        --to_run;
      } else if (wanted.exchange(0, std::memory_order_acquire) != 0) {
        (void)sleepers.end_search_alone([] { return false; });
        lend();
        --to_lend;
      } else {
        lie_down();
      }
    }
  }
  void lie_down() {
    parked[0].store(closed, std::memory_order_relaxed);
    const auto in_sight = [this](unsigned) {
      return how != returning::lies_down_without_a_look &&
             (returns.load(std::memory_order_seq_cst) > 0 || wanted.load(std::memory_order_seq_cst) != 0);
    };
    const auto outcome = sleepers.lie_down(0, all(), [this] { ask(); }, in_sight, [](unsigned) {});
    if (outcome == sleepers_type::rest::awake) {
      parked[0].store(own, std::memory_order_relaxed);
      return;
    }
    std::uint32_t is = closed;
    parked[0].compare_exchange_strong(is, open, std::memory_order_acq_rel, std::memory_order_relaxed);
    sleep(0);
  }
  void lend() {
    lanes.set(2);
    parked[0].store(lent, std::memory_order_relaxed);
    place.store(1, std::memory_order_release);
    if (how != returning::lends_and_goes_on) sleep(0);
    lanes.set(3);
  }

  // ---- others -----------------------------------------------------------------------------------------------------

  void send_back() {
    if (how == returning::looks_for_the_sleeper_first) {
      const bool slept = sleepers.rise(0);
      returns.fetch_add(1, std::memory_order_seq_cst);
      if (slept) wake(0);
      return;
    }
    returns.fetch_add(1, std::memory_order_seq_cst);
    if (sleepers.rise(0)) wake(0);
  }
  /// Borrows the place if it is open, and demands it otherwise.
  void step_in() {
    std::uint32_t is = open;
    if (parked[0].load(std::memory_order_relaxed) == open && sleepers.rise(0)) {
      if (parked[0].compare_exchange_strong(is, lent, std::memory_order_acquire, std::memory_order_relaxed)) {
        lanes.set(4);
        give_back(false);
        return;
      }
      wake(0);
    }
    if (how == returning::looks_for_the_sleeper_first) {
      const bool slept = sleepers.rise(0);
      wanted.store(1, std::memory_order_seq_cst);
      if (slept) wake(0);
    } else {
      wanted.store(1, std::memory_order_seq_cst);
      if (sleepers.rise(0)) wake(0);
    }
    while (place.load(std::memory_order_acquire) == 0) {
      policy::yield();
    }
    lanes.set(4);
    give_back(true);
  }
  /// `demanded`: the worker does not count as searching.
  void give_back(bool demanded) {
    if (demanded) sleepers.begin_search();
    if (how == returning::gives_back_quietly) {
      parked[0].store(open, std::memory_order_release);
      if (sleepers.lie_down_again(0, [this] { ask(); }, [] { return true; })) return;
    }
    wake(0);
  }

  void finish(ended who) override {
    world::finish(who);
    expect(returns.load(std::memory_order_relaxed) == 0, "a worker sleeps over a task that returns to it");
    expect(who[0], "a worker sleeps over a task or a client that only it can serve");
  }

  const returning how;
  atomic<std::int64_t> returns{0};
  atomic<std::uint32_t> wanted{0}, place{0};
  plain<int> lanes{0};
};

/// A task returns to worker 0.
struct return_play : return_world {
  explicit return_play(returning how = returning::right) : return_world(how) {}
  void run(unsigned self) override {
    if (self == 0) {
      live(1, 0);
    } else {
      send_back();
    }
  }
};

/// A client demands the place of worker 0, or finds it open.
struct demand_play : return_world {
  explicit demand_play(returning how = returning::right) : return_world(how) {}
  void run(unsigned self) override {
    if (self == 1) {
      step_in();
    } else {
      live_with_a_client();
    }
  }
  /// Ends when the client has come and gone.
  void live_with_a_client() {
    while (lanes.get() != 4) {
      if (wanted.exchange(0, std::memory_order_acquire) != 0) {
        (void)sleepers.end_search_alone([] { return false; });
        lend();
        return;
      }
      lie_down();
    }
  }
};

/// A client has the place of worker 0 for its own task, while one returns that is worker 0's thread's.
struct return_to_lent_play : return_world {
  explicit return_to_lent_play(returning how = returning::right) : return_world(how) {
    parked[0].store(lent, std::memory_order_relaxed);
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      sleep(0);
      live(1, 0);
    } else if (self == 1) {
      lanes.set(4);
      give_back(false);
    } else {
      send_back();
    }
  }
};

class returns : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, returns, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(returns, are_not_missed) { expect_holds(explore<return_play>({.on = GetParam()})); }
TEST_P(returns, of_a_clients_task_get_a_place) { expect_holds(explore<demand_play>({.on = GetParam()})); }
TEST_P(returns, to_a_place_that_is_lent_wait_for_its_thread) {
  expect_holds(explore<return_to_lent_play>({.on = GetParam()}));
}

TEST_P(returns, to_a_sleeper_that_was_looked_for_first_are_found) {
  expect_violated(explore<return_play>({.on = GetParam()}, returning::looks_for_the_sleeper_first));
  expect_violated(explore<demand_play>({.on = GetParam()}, returning::looks_for_the_sleeper_first));
}
TEST_P(returns, to_a_worker_that_does_not_look_are_found) {
  expect_violated(explore<return_play>({.on = GetParam()}, returning::lies_down_without_a_look));
}
TEST_P(returns, to_a_place_that_is_given_back_quietly_are_found) {
  expect_violated(explore<return_to_lent_play>({.on = GetParam()}, returning::gives_back_quietly));
}
TEST(return_model, a_place_with_two_threads_is_found) {
  expect_violated(explore<demand_play>({.on = machine::views}, returning::lends_and_goes_on));
}

}  // namespace
}  // namespace jackdaw::model
