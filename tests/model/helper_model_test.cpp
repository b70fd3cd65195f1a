// A thread of the host that has helped an isolated task, and to which a part of it has to return, waits outside of its
// place; the part finds it, wherever it was sent. src/runtime/README-arena.md.
#include <gtest/gtest.h>

#include <cstdint>

#include "model/report.hpp"

namespace jackdaw::model {
namespace {

enum class helping {
  right,
  takes_the_first_vacant_place,   // the client of the isolated task
  looks_only_for_what_is_its_own  // the same, in a place that it has taken
};

/// What visit(), run_apart(), take_vacant(), returned() and send_back() of threads do. Thread 0 has helped in place P,
/// and leaves it: it has lain down, or was recalled. Thread 1 ends what the part waits for, and sends the part to
/// thread 0. Thread 2 is the client of the isolated task; place Q is vacant again whenever it has given that back.
struct helper_world : scenario {
  helper_world(bool recalled, helping how) : recalled(recalled), how(how) {}

  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      leave_the_place();
      wait_outside();
    } else if (self == 1) {
      send_back();
    } else {
      wait_for_the_task();
    }
  }

  // ---- thread 0 ---------------------------------------------------------------------------------------------------

  void leave_the_place() {
    while (!take_returned()) {
      if (recalled) {
        in_place.store(0, std::memory_order_relaxed);
        summon();
        return;
      }
      parked.store(closed, std::memory_order_relaxed);
      asleep.store(1, std::memory_order_seq_cst);
      if (place_returns.load(std::memory_order_seq_cst) > 0) {
        if (asleep.exchange(0, std::memory_order_seq_cst) != 0) parked.store(own, std::memory_order_relaxed);
        continue;
      }
      in_place.store(0, std::memory_order_relaxed);
      std::uint32_t is = closed;
      if (parked.compare_exchange_strong(is, open, std::memory_order_acq_rel, std::memory_order_acquire)) return;
      in_place.store(1, std::memory_order_relaxed);  // it has been woken, and stays
    }
  }
  void wait_outside() {
    for (;;) {
      // As under the mutex of guest::waits_for.
      const std::uint32_t seen = told.load(std::memory_order_acquire);
      if (done.load(std::memory_order_relaxed) != 0) return;
      if (guest_returns.load(std::memory_order_acquire) > 0) {
        guest_returns.fetch_sub(1, std::memory_order_relaxed);
        finish_part();
        return;
      }
      if (told.load(std::memory_order_acquire) == seen) policy::yield();
    }
  }
  bool take_returned() {
    if (done.load(std::memory_order_relaxed) != 0) return true;
    if (place_returns.load(std::memory_order_acquire) == 0) return false;
    place_returns.fetch_sub(1, std::memory_order_relaxed);
    finish_part();
    return true;
  }
  void finish_part() {
    done.store(1, std::memory_order_release);
    tell();
  }

  // ---- whoever sends the part -------------------------------------------------------------------------------------

  void send_back() {
    if (in_place.load(std::memory_order_relaxed) != 0) {
      place_returns.fetch_add(1, std::memory_order_seq_cst);
      if (asleep.exchange(0, std::memory_order_seq_cst) != 0 &&
          parked.exchange(own, std::memory_order_acq_rel) == open) {
        summon();
      }
    } else {
      guest_returns.fetch_add(1, std::memory_order_seq_cst);
    }
    tell();
  }
  /// The queue of the host has a lock.
  void summon() {
    summoned.fetch_add(1, std::memory_order_acq_rel);
    tell();
  }
  void tell() { told.fetch_add(1, std::memory_order_acq_rel); }

  // ---- thread 2 ---------------------------------------------------------------------------------------------------

  void wait_for_the_task() {
    for (;;) {
      const std::uint32_t seen = told.load(std::memory_order_acquire);
      if (done.load(std::memory_order_acquire) != 0) return;
      // Q is before P.
      const bool prefers = how != helping::takes_the_first_vacant_place;
      if (prefers && place_returns.load(std::memory_order_relaxed) > 0 && take_vacant()) {
        stand_in();
      }
      if (told.load(std::memory_order_acquire) == seen) policy::yield();
    }
  }
  bool take_vacant() {
    std::uint32_t one = 1;
    return summoned.compare_exchange_strong(one, 0, std::memory_order_acq_rel, std::memory_order_relaxed);
  }
  void stand_in() {
    if (how == helping::looks_only_for_what_is_its_own) return;
    if (in_place.load(std::memory_order_relaxed) == 0 && place_returns.load(std::memory_order_acquire) > 0) {
      place_returns.fetch_sub(1, std::memory_order_relaxed);
      send_back();
    }
    summon();  // gives the place back: it is vacant again
  }

  void finish(scenario::ended who) override {
    expect(all(who) && done.load(std::memory_order_relaxed) == 1, "a part of an isolated task does not return");
  }

  enum seat : std::uint32_t { own, closed, open };
  const bool recalled;
  const helping how;
  // Of place P.
  atomic<std::uint32_t> in_place{1}, parked{own}, asleep{0}, place_returns{0}, summoned{0};
  atomic<std::uint32_t> guest_returns{0}, told{0}, done{0};
};

class helpers : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(model, helpers, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(helpers, get_what_returns_to_them) {
  for (const bool recalled : {false, true}) {
    expect_holds(explore<helper_world>({.on = GetParam()}, recalled, helping::right));
  }
}
TEST_P(helpers, whose_place_is_never_looked_at_are_found) {
  expect_violated(explore<helper_world>({.on = GetParam()}, false, helping::takes_the_first_vacant_place));
}
TEST_P(helpers, whose_part_is_left_in_their_place_are_found) {
  expect_violated(explore<helper_world>({.on = GetParam()}, false, helping::looks_only_for_what_is_its_own));
}

}  // namespace
}  // namespace jackdaw::model
