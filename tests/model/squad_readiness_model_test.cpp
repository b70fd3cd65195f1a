// No squad takes from others while parts of its own are still to come, and its head does not sleep once there are none.
#include <gtest/gtest.h>

#include "model/report.hpp"
#include "runtime/sleepers.hpp"
#include "sched/squad_readiness.hpp"

namespace jackdaw::model {
namespace {

/// What is broken on purpose.
enum class flaw {
  none,
  reads_opened_after_looking,
  opens_before_it_has_forked,
  places_after_expanding,
  does_not_wake_for_opened,
  does_not_wake_for_the_last,
};

using checked = sched::basic_squad_readiness<policy>;

/// Asks in the other order.
struct careless : checked {
  using checked::checked;
  bool none_to_come(std::uint32_t squad, std::uint64_t opened) const {
    return placed(squad) == opened && none_expands();
  }
};

/// A squad of two workers and its own parts. What squad_stealing does with the squad's pool and deques, each of which
/// is one place here: the pool has the number of a part or 0; a worker's deque has what part n forked first if it is 2n
/// - 1, and had it if it is 2n.
template <class Parts>
struct squad : scenario {
  explicit squad(flaw broken) : broken(broken) { parts.begin_expanding(); }

  /// Looks once. False: the squad may cross.
  bool look(unsigned self) {
    std::uint64_t before = broken == flaw::reads_opened_after_looking ? 0 : parts.opened(0);
    const unsigned other = take_rest(1 - self);
    if (other % 2 == 1) return true;
    if (const unsigned part = pool.exchange(0, std::memory_order_acq_rel); part != 0) {
      run_part(self, part);
      return true;
    }
    if (broken == flaw::reads_opened_after_looking) before = parts.opened(0);
    if (!parts.none_to_come(0, before)) return true;
    expect(before > 0, "a squad crosses before it was given its own part");
    expect(last_taken[self] == before || other >= 2 * before, "a squad crosses before its own part can be found");
    return false;
  }

  void run_part(unsigned self, unsigned part) {
    last_taken[self] = part;
    if (broken == flaw::opens_before_it_has_forked) opened();
    deques[self].store(2 * part - 1, std::memory_order_release);
    if (broken != flaw::opens_before_it_has_forked) opened();
    take_rest(self);
  }
  /// What that worker's deque had; if odd, it is taken and run to its end.
  unsigned take_rest(unsigned of) {
    unsigned there = deques[of].load(std::memory_order_acquire);
    if (there % 2 == 0) return there;
    const unsigned gone = there + 1;
    if (!deques[of].compare_exchange_strong(there, gone, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      return gone;
    }
    done.fetch_add(1, std::memory_order_acq_rel);
    return gone - 1;
  }
  void opened() {
    parts.open(0);
    if (broken != flaw::does_not_wake_for_opened) wake_head();
  }
  virtual void wake_head() {}

  const flaw broken;
  Parts parts{1};
  atomic<unsigned> pool{0}, deques[2], done{0};
  unsigned last_taken[2] = {};  // the thread that took it
};

/// Thread 2, a root elsewhere, gives the squad, threads 0 and 1, a part in each iteration.
template <class Parts>
struct crossing : squad<Parts> {
  crossing(unsigned rounds, unsigned looks, flaw broken) : squad<Parts>(broken), rounds(rounds), looks(looks) {}
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 2) {
      for (unsigned round = 1; round <= rounds; ++round) give(round);
    } else {
      for (unsigned i = 0; i < looks && this->look(self); ++i) continue;
    }
  }
  void give(unsigned round) {
    if (round > 1) {
      if (this->done.load(std::memory_order_acquire) != round - 1) return;  // another execution has it done
      this->parts.begin_expanding();
    }
    if (this->broken == flaw::places_after_expanding) this->parts.end_expanding();
    this->parts.place(0);
    this->pool.exchange(round, std::memory_order_acq_rel);  // the real one has a lock
    if (this->broken != flaw::places_after_expanding) this->parts.end_expanding();
  }
  void finish(scenario::ended who) override { expect(this->all(who), "a thread waits for ever"); }
  const unsigned rounds, looks;
};

/// Thread 1 has taken the squad's part. Thread 0, the head, finds nothing and sleeps; thread 2 is another task that may
/// place parts until it ends. Other squads have something all the while.
struct sleeping : squad<checked> {
  explicit sleeping(flaw broken) : squad(broken) {
    parts.place(0);
    sleepers.begin_search();
  }
  unsigned threads() const override { return 3; }
  void run(unsigned self) override {
    if (self == 0) {
      while (look(0)) nap();
    } else if (self == 1) {
      run_part(1, 1);
    } else if (parts.end_expanding() && broken != flaw::does_not_wake_for_the_last) {
      wake_head();
    }
  }
  /// As threads_idle.cpp does.
  void nap() {
    parked.store(1, std::memory_order_relaxed);
    const auto outcome = sleepers.lie_down(
        0, {0, 0}, [] {}, [this](unsigned) { return parts.none_to_come(0, parts.opened(0)); }, [](unsigned) {});
    if (outcome == detail::basic_sleepers<policy>::rest::awake) {
      parked.store(0, std::memory_order_relaxed);
    } else {
      while (parked.load(std::memory_order_acquire) != 0) policy::yield();
    }
  }
  void wake_head() override {
    if (sleepers.rise(0)) parked.store(0, std::memory_order_release);
  }
  void finish(ended who) override { expect(all(who), "the head sleeps though its squad may cross"); }

  detail::basic_sleepers<policy> sleepers{1};  // of the head alone
  atomic<std::uint32_t> parked{0};
};

class squad_readiness : public testing::TestWithParam<machine> {
 protected:
  template <class Parts = checked>
  outcome crosses(unsigned rounds, unsigned looks, flaw broken = flaw::none) const {
    return explore<crossing<Parts>>({.on = GetParam()}, rounds, looks, broken);
  }
  outcome sleeps(flaw broken = flaw::none) const { return explore<sleeping>({.on = GetParam()}, broken); }
};
INSTANTIATE_TEST_SUITE_P(model, squad_readiness, testing::Values(machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(squad_readiness, are_found_before_a_squad_crosses) { expect_holds(crosses(1, 3)); }
TEST_P(squad_readiness, also_in_the_next_iteration) { expect_holds(crosses(2, 2)); }
TEST_P(squad_readiness, wake_the_head_when_the_squad_may_cross) { expect_holds(sleeps()); }

TEST_P(squad_readiness, opened_read_after_looking_is_found) {
  expect_violated(crosses(1, 2, flaw::reads_opened_after_looking));
}
TEST_P(squad_readiness, opened_before_the_fork_is_found) {
  expect_violated(crosses(1, 2, flaw::opens_before_it_has_forked));
}
TEST_P(squad_readiness, placed_after_expanding_is_found) {
  expect_violated(crosses(1, 2, flaw::places_after_expanding));
}
TEST_P(squad_readiness, placed_read_before_expanding_is_found) { expect_violated(crosses<careless>(1, 2)); }
TEST_P(squad_readiness, no_wake_up_for_opened_is_found) { expect_violated(sleeps(flaw::does_not_wake_for_opened)); }
TEST_P(squad_readiness, no_wake_up_for_the_last_is_found) { expect_violated(sleeps(flaw::does_not_wake_for_the_last)); }

}  // namespace
}  // namespace jackdaw::model
