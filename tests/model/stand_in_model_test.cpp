// A client that stands in for a sleeping worker: no wake-up is lost when it takes the place, when it begins its root
// without a wake-up for others, and when it gives the place back; and nobody else touches the worker meanwhile.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "model/sleep_world.hpp"

namespace jackdaw::model {
namespace {

using namespace sleeping;

enum class standing_in {
  right,
  trusts_that_it_is_alone,
  gives_back_without_asking,
  looks_for_roots_first,
  begins_roots_without_a_fence,
  tidies_up_an_open_place,
};

enum seat : std::uint32_t { own, closed, open, lent };

/// What threads_stand_in.cpp and under_way.hpp do.
struct stand_in_world : world {
  stand_in_world(unsigned workers, standing_in how) : world(workers, flaw::none), how(how) {}

  void begin_root() {
    roots.fetch_add(1, std::memory_order_seq_cst);
    if (how != standing_in::begins_roots_without_a_fence) policy::full_fence();
  }
  bool others_run() { return how != standing_in::trusts_that_it_is_alone && roots.load(std::memory_order_seq_cst) > 1; }
  bool is_quiet() const { return roots.load(std::memory_order_seq_cst) == 0; }
  /// The client's root has ended, and the worker counts as searching.
  void give_back(unsigned self) {
    const bool quiet = how == standing_in::looks_for_roots_first ? is_quiet() : true;
    parked[self].store(open, std::memory_order_release);
    const auto asks = [this] {
      if (how != standing_in::gives_back_without_asking) ask();
    };
    const auto finds_none = [&] { return how == standing_in::looks_for_roots_first ? quiet : is_quiet(); };
    if (!sleepers.lie_down_again(self, asks, finds_none)) {
      wake(self);
    }
  }

  const standing_in how;
  atomic<std::uint32_t> roots{0};
};

/// Client 2 gives the place of worker 0 back. Worker 1 runs a new root, which pushes something, or client 1 sends one
/// to worker 0's mailbox or to the queue.
struct give_back_play : stand_in_world {
  enum class comes { pushed, posted, queued };
  give_back_play(comes what, standing_in how = standing_in::right) : stand_in_world(2, how), next(what) {
    parked[0].store(lent, std::memory_order_relaxed);
    sleepers.begin_search();
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      sleep(0);
      search(0, 1, true);
    } else if (self == 2) {
      give_back(0);
    } else {
      begin_root();
      if (next == comes::pushed) {
        push(1);
      } else if (next == comes::posted) {
        post(0);
      } else {
        put_near(0, [](unsigned) { return false; });
      }
    }
  }
  const comes next;
};

/// A client begins its root in the place of worker 0. Worker 1 runs another root, which pushes something; worker 2
/// sleeps.
struct begin_play : stand_in_world {
  explicit begin_play(standing_in how = standing_in::right) : stand_in_world(3, how) {
    put_to_sleep(2);
    roots.store(1, std::memory_order_relaxed);
    sleepers.begin_search();  // as the worker rose
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      if (!sleepers.end_search_alone([this] { return others_run(); })) {
        (void)mailboxes[0].post(sched::item(1));  // what it has found
        search(0, 1);
      }
    } else if (self == 1) {
      begin_root();
      push(1);
    } else {
      sleep(2);
      search(2, 1, true);
    }
  }
};

/// Worker 0 sleeps and gives back stacks. A client stands in for it, and gives its place back; another worker wakes it.
struct seat_play : stand_in_world {
  explicit seat_play(standing_in how = standing_in::right) : stand_in_world(1, how) {
    put_to_sleep(0);
    parked[0].store(closed, std::memory_order_relaxed);
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      sleep_and_tidy_up();
      lanes.set(3);
      search(0, 1);
    } else if (self == 1) {
      borrow();
    } else {
      begin_root();
      post(0);
    }
  }
  bool change(std::uint32_t from, std::uint32_t to) {
    return parked[0].compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_relaxed);
  }
  void sleep_and_tidy_up() {
    change(closed, open);
    if (parked[0].load(std::memory_order_acquire) != own) {
      if (how == standing_in::tidies_up_an_open_place) {
        lanes.set(1);
      } else if (change(open, closed)) {
        lanes.set(1);
        change(closed, open);
      }
    }
    sleep(0);
  }
  void borrow() {
    if (parked[0].load(std::memory_order_relaxed) != open || !sleepers.rise(0)) {
      return;
    }
    std::uint32_t is = open;
    if (!parked[0].compare_exchange_strong(is, lent, std::memory_order_acquire, std::memory_order_relaxed)) {
      wake(0);
      return;
    }
    lanes.set(2);
    give_back(0);
  }
  plain<int> lanes{0};
};

class stand_in : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, stand_in, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

using comes = give_back_play::comes;

TEST_P(stand_in, gives_back_while_a_root_begins) {
  for (const comes what : {comes::pushed, comes::posted, comes::queued}) {
    expect_holds(explore<give_back_play>({.on = GetParam()}, what));
  }
}
TEST_P(stand_in, begins_alone) { expect_holds(explore<begin_play>({.on = GetParam()})); }
TEST_P(stand_in, has_the_place_for_itself) { expect_holds(explore<seat_play>({.on = GetParam()})); }

TEST_P(stand_in, that_trusts_to_be_alone_is_found) {
  expect_violated(explore<begin_play>({.on = GetParam()}, standing_in::trusts_that_it_is_alone));
}
TEST_P(stand_in, that_does_not_ask_is_found) {
  expect_violated(explore<give_back_play>({.on = GetParam()}, comes::pushed, standing_in::gives_back_without_asking));
}
TEST_P(stand_in, that_looks_for_roots_first_is_found) {
  expect_violated(explore<give_back_play>({.on = GetParam()}, comes::pushed, standing_in::looks_for_roots_first));
}
TEST(stand_in_model, without_a_fence_at_the_beginning_of_roots_is_found) {
  expect_violated(
      explore<give_back_play>({.on = machine::views}, comes::pushed, standing_in::begins_roots_without_a_fence));
}
TEST(stand_in_model, while_its_thread_tidies_up_is_found) {
  expect_violated(explore<seat_play>({.on = machine::views}, standing_in::tidies_up_an_open_place));
}

}  // namespace
}  // namespace jackdaw::model
