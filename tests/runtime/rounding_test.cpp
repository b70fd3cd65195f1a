// The floating-point unit's control bits belong to the task, on whichever thread it resumes. docs/forks.md.
#include "jackdaw/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <thread>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/memory/affinity.hpp"
#include "jackdaw/task_group.hpp"
#include "runtime/two_workers.hpp"

namespace {

using jackdaw::policy;
using jackdaw::runtime;
using jackdaw::task_group;
using jackdaw::test::each_scheduler;
using jackdaw::test::meet;

class rounding : public each_scheduler {};

/// The mode as arithmetic has it, where that is SSE's or AdvSIMD's, and as the x87's word has it.
int mode_of_arithmetic() {
  const volatile double one = 1, tiny = 1e-30;
  const double above = one + tiny, below = -one - tiny;
  const int found = above > one ? FE_UPWARD : below < -one ? FE_DOWNWARD : FE_TONEAREST;
  return found == std::fegetround() ? found : -1;
}

TEST_P(rounding, of_a_stolen_continuation_is_the_parents) {
  rt.run([] {
    std::fesetround(FE_UPWARD);
    std::atomic<int> here{0};
    task_group group;
    int child = -1;
    group.run([&] {
      child = mode_of_arithmetic();
      meet(here, 2);
    });
    EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD);
    meet(here, 2);  // ends only if a thief continues here
    EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD);
    group.wait();
    EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD);
    EXPECT_EQ(child, FE_UPWARD);
  });
}

TEST_P(rounding, of_one_task_is_not_another_ones_that_runs_on_its_thread) {
  rt.run([] {
    // The worker that resumes the task has run others meanwhile, which came after it on its thread.
    std::atomic<int> here{0};
    std::fesetround(FE_DOWNWARD);
    const auto other = [&] {
      EXPECT_NE(mode_of_arithmetic(), FE_UPWARD);
      std::fesetround(FE_UPWARD);
      meet(here, 3);
      std::fesetround(FE_TONEAREST);
    };
    jackdaw::invoke(
        [&] {
          meet(here, 3);
          EXPECT_EQ(mode_of_arithmetic(), FE_DOWNWARD);
        },
        other, other);
    EXPECT_EQ(mode_of_arithmetic(), FE_DOWNWARD);
  });
  for (int time = 0; time < 100; ++time) {
    rt.run([] { std::fesetround(FE_UPWARD); });  // and does not restore it
    rt.run([] { EXPECT_EQ(mode_of_arithmetic(), FE_TONEAREST); });
  }
}

TEST_P(rounding, of_a_root_is_its_senders) {
  std::fesetround(FE_DOWNWARD);
  const int root = rt.run([] { return mode_of_arithmetic(); });
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(root, FE_DOWNWARD);
  EXPECT_EQ(rt.run([] { return mode_of_arithmetic(); }), FE_TONEAREST);
}

TEST_P(rounding, of_help_first_children_is_the_one_they_were_forked_under) {
  rt.run([] {
    std::atomic<int> here{0};
    std::array<int, 2> modes{};
    task_group group(policy::help_first);
    for (const int child : {0, 1}) {
      std::fesetround(child == 0 ? FE_UPWARD : FE_DOWNWARD);
      group.run([&, child] {
        modes[static_cast<std::size_t>(child)] = mode_of_arithmetic();
        meet(here, 2);  // one of them was stolen
        std::fesetround(FE_UPWARD);
      });
    }
    std::fesetround(FE_TONEAREST);
    group.wait();
    EXPECT_EQ(modes, (std::array{FE_UPWARD, FE_DOWNWARD}));
    EXPECT_EQ(mode_of_arithmetic(), FE_TONEAREST);
  });
}

TEST_P(rounding, of_children_near_memory_is_the_one_they_were_forked_under) {
  rt.run([] {
    int mode = -1;
    std::fesetround(FE_UPWARD);
    task_group group;
    group.run(jackdaw::near(&mode, sizeof mode), [&] { mode = mode_of_arithmetic(); });
    std::fesetround(FE_TONEAREST);
    group.wait();
    EXPECT_EQ(mode, FE_UPWARD);
  });
}

TEST_P(rounding, of_blocks_that_were_stolen_is_the_loops) {
  rt.run([] {
    std::fesetround(FE_UPWARD);
    std::atomic<int> here{0};
    std::array<int, 3> modes{};
    jackdaw::for_index(
        0, 3,
        [&](int i) {
          meet(here, 2);  // one of them was stolen
          modes[static_cast<std::size_t>(i)] = mode_of_arithmetic();
        },
        jackdaw::grain(1));
    EXPECT_EQ(modes, (std::array{FE_UPWARD, FE_UPWARD, FE_UPWARD}));
    here = 0;
    const auto all_upward = [&](int i) {
      meet(here, 2);
      return i < 3 && mode_of_arithmetic() == FE_UPWARD ? 1 : 0;
    };
    const std::array indices{0, 1, 2};
    EXPECT_EQ(
        jackdaw::transform_reduce(indices.begin(), indices.end(), 0, std::plus<>(), all_upward, jackdaw::grain(1)), 3);
    EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD);
  });
}

TEST_P(rounding, of_comparisons_is_the_sorts) {
  rt.run([] {
    std::fesetround(FE_UPWARD);
    std::atomic<int> others{0};
    const auto less = [&](int a, int b) {
      if (mode_of_arithmetic() != FE_UPWARD) ++others;
      return a < b;
    };
    for (const bool stable : {false, true}) {
      std::vector<int> numbers(40'000);
      unsigned drawn = 1;
      for (int& each : numbers) each = static_cast<int>(drawn = drawn * 1664525 + 1013904223);
      if (stable) {
        jackdaw::stable_sort(numbers.begin(), numbers.end(), less, jackdaw::grain{256});
      } else {
        jackdaw::sort(numbers.begin(), numbers.end(), less, jackdaw::grain{256});
      }
      EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
      EXPECT_EQ(others, 0) << (stable ? "stable" : "plain");
    }
    std::fesetround(FE_TONEAREST);
  });
}

TEST_P(rounding, of_a_stolen_branch_is_the_runtimes_or_the_kept_one) {
  rt.run([] {
    std::fesetround(FE_UPWARD);
    std::atomic<int> here{0};
    const auto [first, plain, kept] = jackdaw::invoke(
        [&] {
          meet(here, 3);
          return mode_of_arithmetic();
        },
        [&] {
          meet(here, 3);
          return mode_of_arithmetic();
        },
        jackdaw::keep_rounding([&] {
          meet(here, 3);
          return mode_of_arithmetic();
        }));
    EXPECT_EQ(first, FE_UPWARD);
    // A branch that the scheduler placed knows it as well.
    const bool places = GetParam() == "adws" || GetParam() == "constrained";
    EXPECT_TRUE(plain == FE_TONEAREST || (places && plain == FE_UPWARD)) << plain;
    EXPECT_EQ(kept, FE_UPWARD);
    EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD);
  });
}

/// Alone, so that nothing is stolen, and with a thief that continues the parent.
TEST(rounding_of_a_parent, is_not_its_childs) {
  for (const unsigned workers : {1u, 2u}) {
    runtime rt{{.scheduler = "random", .workers = workers}};
    rt.run([workers] {
      std::fesetround(FE_UPWARD);
      std::atomic<int> here{0};
      task_group group;
      group.run([&] {
        meet(here, static_cast<int>(workers));
        std::fesetround(FE_DOWNWARD);
      });
      EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD) << workers;
      if (workers == 2) meet(here, 2);
      group.wait();
      EXPECT_EQ(mode_of_arithmetic(), FE_UPWARD) << workers;
    });
  }
}

#if defined(__x86_64__)
TEST_P(rounding, travels_with_the_other_bits_of_both_units) {
  rt.run([] {
    static constexpr std::uint32_t flush_to_zero = 0x8000, denormals_are_zeros = 0x40;
    static constexpr std::uint16_t double_precision = 0x27f;
    const auto set = [](std::uint32_t sse, std::uint16_t x87) {
      asm volatile("ldmxcsr %0\n\tfldcw %1" ::"m"(sse), "m"(x87));
    };
    set(0x1f80 | flush_to_zero | denormals_are_zeros, double_precision);
    const auto same = [] {
      std::uint32_t sse;
      std::uint16_t x87;
      asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(sse), "=m"(x87));
      EXPECT_EQ(sse & ~0x3fu, 0x1f80 | flush_to_zero | denormals_are_zeros);
      EXPECT_EQ(x87, double_precision);
    };
    std::atomic<int> here{0};
    task_group group;
    group.run([&] {
      same();
      meet(here, 2);
      set(0x1f80, 0x37f);
    });
    same();
    meet(here, 2);
    group.wait();
    same();
    jackdaw::for_index(0, 3, [&](int) { same(); }, jackdaw::grain(1));
  });
}
#endif

INSTANTIATE_TEST_SUITE_P(all, rounding, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

}  // namespace
