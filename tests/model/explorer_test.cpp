// Tests of the explorer itself: on each machine the classic litmus tests have exactly the allowed outcomes.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "jackdaw/detail/atomics.hpp"
#include "model/report.hpp"

namespace jackdaw::model {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

/// A litmus test: what the threads have read is recorded as text.
struct litmus : scenario {
  using body = void (*)(litmus&, unsigned);

  litmus(unsigned count, body what) : count(count), what(what) {}
  unsigned threads() const override { return count; }
  void run(unsigned thread) override { what(*this, thread); }
  void finish(ended who) override {
    expect(all(who), "a thread is stuck");
    std::string end;
    for (const int each : seen) {
      end += each < 0 ? "" : std::to_string(each);
    }
    explorer::active().record(end);
  }

  unsigned count;
  body what;
  atomic<int> x, y;
  int seen[4] = {-1, -1, -1, -1};
};

std::set<std::string> ends_of(machine on, unsigned threads, litmus::body what, options how = {}) {
  how.on = on;
  const outcome found = explore<litmus>(how, threads, what);
  EXPECT_EQ(found.violation, "") << found.trace;
  EXPECT_TRUE(found.exhaustive);
  return found.ends;
}

using set = std::set<std::string>;

TEST(explorer, store_buffering) {
  const auto program = [](litmus& of, unsigned self) {
    (self == 0 ? of.x : of.y).store(1, relaxed);
    of.seen[self] = (self == 0 ? of.y : of.x).load(relaxed);
  };
  EXPECT_EQ(ends_of(machine::sequential, 2, program), (set{"01", "10", "11"}));
  for (const machine on : {machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, program), (set{"00", "01", "10", "11"})) << machine_name(on);
  }
}

TEST(explorer, store_buffering_with_fences) {
  const auto program = [](litmus& of, unsigned self) {
    (self == 0 ? of.x : of.y).store(1, relaxed);
    policy::full_fence();
    of.seen[self] = (self == 0 ? of.y : of.x).load(relaxed);
  };
  for (const machine on : {machine::sequential, machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, program), (set{"01", "10", "11"})) << machine_name(on);
  }
}

TEST(explorer, store_buffering_with_one_heavy_fence) {
  const auto program = [](litmus& of, unsigned self) {
    (self == 0 ? of.x : of.y).store(1, relaxed);
    if (self == 0) {
      policy::light_fence();
    } else {
      policy::heavy_fence();
    }
    of.seen[self] = (self == 0 ? of.y : of.x).load(relaxed);
  };
  for (const machine on : {machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, program), (set{"01", "10", "11"})) << machine_name(on);
    EXPECT_TRUE(ends_of(on, 2, program, {.heavy = options::fence::does_nothing}).contains("00")) << machine_name(on);
  }
}

TEST(explorer, store_buffering_with_sequentially_consistent_accesses) {
  const auto program = [](litmus& of, unsigned self) {
    (self == 0 ? of.x : of.y).store(1, seq_cst);
    of.seen[self] = (self == 0 ? of.y : of.x).load(seq_cst);
  };
  for (const machine on : {machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, program), (set{"01", "10", "11"})) << machine_name(on);
  }
}

TEST(explorer, message_passing) {
  const auto relaxed_only = [](litmus& of, unsigned self) {
    if (self == 0) {
      of.x.store(1, relaxed);
      of.y.store(1, relaxed);
    } else {
      of.seen[0] = of.y.load(relaxed);
      of.seen[1] = of.x.load(relaxed);
    }
  };
  const auto ordered = [](litmus& of, unsigned self) {
    if (self == 0) {
      of.x.store(1, relaxed);
      of.y.store(1, release);
    } else {
      of.seen[0] = of.y.load(acquire);
      of.seen[1] = of.x.load(relaxed);
    }
  };
  EXPECT_EQ(ends_of(machine::tso, 2, relaxed_only), (set{"00", "01", "11"}));
  EXPECT_EQ(ends_of(machine::pso, 2, relaxed_only), (set{"00", "01", "10", "11"}));
  EXPECT_EQ(ends_of(machine::views, 2, relaxed_only), (set{"00", "01", "10", "11"}));
  for (const machine on : {machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, ordered), (set{"00", "01", "11"})) << machine_name(on);
  }
  EXPECT_TRUE(ends_of(machine::pso, 2, ordered, {.release_is_relaxed = true}).contains("10"));
  EXPECT_TRUE(ends_of(machine::views, 2, ordered, {.release_is_relaxed = true}).contains("10"));
  EXPECT_TRUE(ends_of(machine::views, 2, ordered, {.acquire_is_relaxed = true}).contains("10"));
}

TEST(explorer, independent_readers) {
  const auto program = [](litmus& of, unsigned self) {
    if (self < 2) {
      (self == 0 ? of.x : of.y).store(1, release);
    } else {
      of.seen[2 * self - 4] = (self == 2 ? of.x : of.y).load(acquire);
      of.seen[2 * self - 3] = (self == 2 ? of.y : of.x).load(acquire);
    }
  };
  // Two readers disagree on which store came first: only where stores do not reach all others at once.
  EXPECT_FALSE(ends_of(machine::tso, 4, program).contains("1010"));
  EXPECT_FALSE(ends_of(machine::pso, 4, program).contains("1010"));
  EXPECT_TRUE(ends_of(machine::views, 4, program).contains("1010"));
}

TEST(explorer, reads_of_one_location_do_not_go_back) {
  const auto program = [](litmus& of, unsigned self) {
    if (self == 0) {
      of.x.store(1, relaxed);
      of.x.store(2, relaxed);
    } else {
      of.seen[0] = of.x.load(relaxed);
      of.seen[1] = of.x.load(relaxed);
    }
  };
  for (const machine on : {machine::sequential, machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 2, program), (set{"00", "01", "02", "11", "12", "22"})) << machine_name(on);
  }
}

TEST(explorer, increments_are_not_lost) {
  const auto program = [](litmus& of, unsigned self) {
    of.x.fetch_add(1, relaxed);
    of.seen[self] = of.x.fetch_add(1, relaxed) >= 1 ? 1 : 0;
  };
  for (const machine on : {machine::sequential, machine::tso, machine::pso, machine::views}) {
    EXPECT_EQ(ends_of(on, 3, program), (set{"111"})) << machine_name(on);
  }
}

/// Data under the runtime's spin lock.
struct locked : scenario {
  explicit locked(bool use_lock, unsigned count_of_threads = 3) : use_lock(use_lock), many(count_of_threads) {}
  unsigned threads() const override { return many; }
  void run(unsigned) override {
    for (unsigned i = 0; i < 4 - many; ++i) {
      if (use_lock) {
        lock.lock();
      }
      count.set(count.get() + 1);
      if (use_lock) {
        lock.unlock();
      }
    }
  }
  void finish(ended who) override {
    expect(all(who), "a thread waits for the lock for ever");
    expect(count.get() == static_cast<int>(many * (4 - many)), "an increment was lost");
  }

  const bool use_lock;
  const unsigned many;  // 3 threads once each, or 2 twice
  detail::spin_lock<policy> lock;
  plain<int> count;
};

class machines : public testing::TestWithParam<machine> {};
INSTANTIATE_TEST_SUITE_P(explorer, machines,
                         testing::Values(machine::sequential, machine::tso, machine::pso, machine::views),
                         [](const auto& each) { return machine_name(each.param); });

TEST_P(machines, spin_lock) {
  expect_holds(explore<locked>({.on = GetParam()}, true, 3u));
  expect_holds(explore<locked>({.on = GetParam()}, true, 2u));
}
TEST_P(machines, no_lock_is_found) { expect_violated(explore<locked>({.on = GetParam()}, false)); }

TEST(explorer, spin_lock_without_release_is_found) {
  expect_violated(explore<locked>({.on = machine::pso, .release_is_relaxed = true}, true));
  expect_violated(explore<locked>({.on = machine::views, .release_is_relaxed = true}, true));
}
TEST(explorer, spin_lock_without_acquire_is_found) {
  expect_violated(explore<locked>({.on = machine::views, .acquire_is_relaxed = true}, true));
}

/// Two locks in opposite orders.
struct crossed : scenario {
  unsigned threads() const override { return 2; }
  void run(unsigned self) override {
    locks[self].lock();
    locks[1 - self].lock();
    locks[1 - self].unlock();
    locks[self].unlock();
  }
  void finish(ended who) override { expect(all(who), "a deadlock"); }
  detail::spin_lock<policy> locks[2];
};

TEST_P(machines, deadlock_is_found) { expect_violated(explore<crossed>({.on = GetParam()})); }

TEST(explorer, a_bound_on_preemptions_is_no_proof) {
  const outcome found = explore<locked>({.on = machine::tso, .preemptions = 1}, true);
  EXPECT_EQ(found.violation, "");
  EXPECT_FALSE(found.exhaustive);
}

TEST(explorer, choices_are_all_made) {
  const auto program = [](litmus& of, unsigned self) { of.seen[self] = static_cast<int>(choose(3)); };
  EXPECT_EQ(ends_of(machine::tso, 2, program).size(), 9u);
}

}  // namespace
}  // namespace jackdaw::model
