// A thread of the host that is called to an arena, because tasks are to go on on it: it runs them all, is called once
// at a time, and the arena does not end before it has left. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include "model/report.hpp"

namespace jackdaw::model {
namespace {

enum class calling {
  right,
  resets_called_after_its_look,
  counts_the_call_when_it_is_queued,
  closes_without_taking_it_back,
};

/// What threads_arena.cpp does. Thread 0 is a worker's own thread of the host. Thread 1 is in a place of the arena, and
/// sends tasks to thread 0. When they have run, the arena ends: in a task of thread 0, or on thread 2.
struct guest_world : scenario {
  guest_world(bool ends_in_a_task, calling how) : ends_in_a_task(ends_in_a_task), how(how) {}

  unsigned threads() const override { return ends_in_a_task ? 2 : 3; }
  void run(unsigned self) override {
    if (self == 1) {
      stay_in_a_place();
    } else if (self == 2) {
      end_the_arena();
    } else {
      work();
    }
  }

  // ---- thread 1 ---------------------------------------------------------------------------------------------------

  void stay_in_a_place() {
    for (unsigned sent = 0; sent != tasks; ++sent) send();
    expect(arena.get() == 0, "an arena is used that has ended");
    wakers.fetch_add(down, std::memory_order_release);
  }
  void send() {
    returns.fetch_add(1, std::memory_order_seq_cst);
    if (called.exchange(1, std::memory_order_seq_cst) != 0) return;
    if (how != calling::counts_the_call_when_it_is_queued) wakers.fetch_add(up, std::memory_order_relaxed);
    // The queue of the host's worker has a lock.
    expect(queued.fetch_add(1, std::memory_order_acq_rel) == 0, "a thread is called twice");
    if (how == calling::counts_the_call_when_it_is_queued) wakers.fetch_add(up, std::memory_order_relaxed);
  }

  // ---- thread 0 ---------------------------------------------------------------------------------------------------

  void work() {
    while (!ends_in_a_task || done.load(std::memory_order_acquire) != tasks) {
      if (take_call()) {
        come();
      } else {
        policy::yield();
      }
    }
    end_the_arena();
  }
  bool take_call() {
    std::uint32_t one = 1;
    return queued.compare_exchange_strong(one, 0, std::memory_order_acq_rel, std::memory_order_relaxed);
  }
  void come() {
    if (how != calling::resets_called_after_its_look) called.store(0, std::memory_order_seq_cst);
    while (returns.load(std::memory_order_seq_cst) > 0) {
      returns.fetch_sub(1, std::memory_order_relaxed);
      done.fetch_add(1, std::memory_order_release);
    }
    if (how == calling::resets_called_after_its_look) called.store(0, std::memory_order_seq_cst);
    expect(arena.get() == 0, "an arena is used that has ended");
    wakers.fetch_add(down, std::memory_order_release);
  }

  // ---- whoever ends the arena -------------------------------------------------------------------------------------

  void end_the_arena() {
    while (done.load(std::memory_order_acquire) != tasks) {
      policy::yield();
    }
    for (std::uint32_t seen; (seen = wakers.load(std::memory_order_acquire)) % change != 0;) {
      if (how != calling::closes_without_taking_it_back && take_call()) {
        wakers.fetch_add(down, std::memory_order_relaxed);
      } else if (wakers.load(std::memory_order_acquire) == seen) {
        policy::yield();  // until the count changes, as it does after each call that is queued
      }
    }
    arena.set(1);
    ended_all = true;
  }

  void finish(ended) override {
    expect(ended_all, "the arena does not end");
    expect(queued.load(std::memory_order_relaxed) == 0, "a thread is called to an arena that has ended");
  }

  static constexpr unsigned tasks = 2;
  /// What is added to the count: it has another value after each change, by which the explorer knows when to go on.
  static constexpr std::uint32_t change = 16, up = change + 1, down = change - 1;
  const bool ends_in_a_task;
  const calling how;
  atomic<std::uint32_t> wakers{1}, returns{0}, called{0}, queued{0}, done{0};
  plain<int> arena{0};  // its memory
  bool ended_all = false;
};

class guests : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, guests, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(guests, run_what_returns_to_them_before_the_arena_ends) {
  for (const bool in_a_task : {false, true}) {
    expect_holds(explore<guest_world>({.on = GetParam()}, in_a_task, calling::right));
  }
}
TEST_P(guests, that_can_be_called_too_late_are_found) {
  expect_violated(explore<guest_world>({.on = GetParam()}, false, calling::resets_called_after_its_look));
}
TEST_P(guests, that_are_counted_too_late_are_found) {
  expect_violated(explore<guest_world>({.on = GetParam()}, false, calling::counts_the_call_when_it_is_queued));
}
TEST_P(guests, that_the_end_of_the_arena_waits_for_in_vain_are_found) {
  expect_violated(explore<guest_world>({.on = GetParam()}, true, calling::closes_without_taking_it_back));
}

}  // namespace
}  // namespace jackdaw::model
