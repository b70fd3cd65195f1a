#include "jackdaw/invoke.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/two_workers.hpp"

namespace {

using jackdaw::test::each_scheduler;
using jackdaw::test::meet;

class invoke : public each_scheduler {};

TEST_P(invoke, returns_the_results_in_order) {
  const auto [a, b, c] =
      rt.run([] { return jackdaw::invoke([] { return 1; }, [] { return std::string("two"); }, [] {}); });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, "two");
  static_assert(std::is_same_v<decltype(c), const std::monostate>);
}

TEST_P(invoke, returns_constants) {
  struct point {
    int x;
  };
  // NOLINTBEGIN(readability-const-return-type): people write that
  const auto [a, b] = rt.run(
      [] { return jackdaw::invoke([]() -> const point { return {1}; }, []() -> const std::string { return "two"; }); });
  // NOLINTEND(readability-const-return-type)
  EXPECT_EQ(a.x, 1);
  EXPECT_EQ(b, "two");
}

TEST_P(invoke, moves_results_and_takes_functions_that_cannot_be_copied) {
  auto owned = std::make_unique<int>(7);
  auto [p, q] = rt.run([&] {
    return jackdaw::invoke([o = std::move(owned)]() mutable { return std::move(o); },
                           [] { return std::make_unique<int>(8); });
  });
  EXPECT_EQ(*p + *q, 15);
}

TEST_P(invoke, runs_its_branches_at_the_same_time_when_there_are_workers) {
  // Either branch waits for the other: this ends only if the second one was stolen.
  rt.run([] {
    std::atomic<int> here{0};
    jackdaw::invoke([&] { meet(here, 2); }, [&] { meet(here, 2); });
  });
}

TEST_P(invoke, steals_by_force_from_a_long_leaf) {
  // The first branch pushes two entries and then never forks again. Once the outer one is gone, the inner one can only
  // be stolen by force.
  rt.run([] {
    std::atomic<int> here{0};
    jackdaw::invoke([&] { jackdaw::invoke([&] { meet(here, 3); }, [&] { meet(here, 3); }); }, [&] { meet(here, 3); });
  });
}

TEST_P(invoke, throws_what_the_first_branch_throws_and_skips_the_rest) {
  std::atomic<int> started{0};
  EXPECT_THROW(rt.run([&] {
    jackdaw::invoke([] { throw std::runtime_error("first"); }, [&] { ++started; }, [&] { ++started; });
  }),
               std::runtime_error);
  // A thief may have been quick; nothing runs once the exception is out.
  const int then = started;
  std::this_thread::yield();
  EXPECT_EQ(started, then);
}

TEST_P(invoke, throws_what_a_stolen_branch_throws) {
  try {
    rt.run([] {
      std::atomic<int> here{0};
      jackdaw::invoke([&] { meet(here, 2); },
                      [&] {
                        meet(here, 2);
                        throw std::runtime_error("second");
                      });
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& thrown) {
    EXPECT_STREQ(thrown.what(), "second");
  }
}

TEST_P(invoke, waits_for_a_stolen_branch_before_it_throws) {
  bool ended = false;
  EXPECT_THROW(rt.run([&] {
    std::atomic<int> here{0};
    jackdaw::invoke(
        [&] {
          meet(here, 2);
          throw std::runtime_error("first");
        },
        [&] {
          meet(here, 2);
          for (int i = 0; i < 1000; ++i) {
            std::this_thread::yield();
          }
          ended = true;
        });
  }),
               std::runtime_error);
  EXPECT_TRUE(ended);
}

TEST_P(invoke, goes_on_inside_a_handler_that_forks) {
  // The exception being handled belongs to the fiber, on whichever thread it resumes after the join.
  const std::string seen = rt.run([] {
    try {
      throw std::runtime_error("outer");
    } catch (...) {
      std::atomic<int> here{0};
      jackdaw::invoke([&] { meet(here, 2); }, [&] { meet(here, 2); });
      try {
        throw;
      } catch (const std::runtime_error& again) {
        return std::string(again.what());
      }
    }
    return std::string();
  });
  EXPECT_EQ(seen, "outer");
}

TEST_P(invoke, takes_any_amount_of_work) {
  int ran = 0;
  rt.run([&] {
    jackdaw::invoke(jackdaw::work(0, [&] { ++ran; }), jackdaw::work(0, [] {}));
    jackdaw::invoke(jackdaw::work(1, [&] { ++ran; }), jackdaw::work(0, [] {}));
  });
  EXPECT_EQ(ran, 2);
}

#if !defined(JACKDAW_TSAN)
// ThreadSanitizer follows calls 65536 deep.
std::uint64_t deep(unsigned levels) {
  if (levels == 0) {
    return 1;
  }
  std::uint64_t below = 0;
  jackdaw::invoke([&] { below = deep(levels - 1); }, [] {});
  return below + 1;
}

TEST_P(invoke, goes_on_serially_when_the_deque_is_full) {
  // More pending branches than a deque holds, on stacks that hold them.
  jackdaw::runtime big({.scheduler = GetParam(), .workers = 1, .stack_size = std::size_t{1} << 28});
  EXPECT_EQ(big.run([] { return deep(70'000); }), 70'001u);
}
#endif

INSTANTIATE_TEST_SUITE_P(all, invoke, jackdaw::test::all_schedulers, jackdaw::test::name_of_scheduler);

TEST(invoke_outside, starts_the_default_runtime) {
  int a = 0;
  int b = 0;
  jackdaw::invoke([&] { a = 1; }, [&] { b = 2; });
  EXPECT_EQ(a + b, 3);
  EXPECT_FALSE(jackdaw::this_worker().has_value());
}

TEST(invoke_outside, from_several_threads_at_once) {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        jackdaw::invoke([&] { ++sum; }, [&] { jackdaw::invoke([&] { ++sum; }, [&] { ++sum; }); });
      }
    });
  }
  for (std::thread& each : threads) {
    each.join();
  }
  EXPECT_EQ(sum, 4 * 200 * 3);
}

}  // namespace
