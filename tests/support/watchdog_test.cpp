#include "support/watchdog.hpp"

#include <gtest/gtest.h>

#include <jackdaw/jackdaw.hpp>

#include <cstdlib>
#include <future>

namespace {

using jackdaw::test::limit_from_environment;
using jackdaw::test::watchdog;

void hang_in_a_task() {
  jackdaw::runtime runtime({.scheduler = "random", .workers = 1});
  runtime.run([] {
    watchdog dog(std::chrono::milliseconds(1));
    dog.watch("the hanging test");
    std::promise<void> never;
    never.get_future().wait();
  });
}

TEST(watchdog_death, reports_what_hangs_and_where_the_workers_are) {
  EXPECT_EXIT(hang_in_a_task(), testing::KilledBySignal(SIGABRT),
              "watchdog: the hanging test lasted longer than 0.001 s\n"
              "runtime with scheduler random, 1 worker.*\n *worker 0: .*in a task");
}

void end_before_the_limit() {
  {
    watchdog dog(std::chrono::hours(1));
    dog.watch("first");
    dog.release();
    dog.watch("second");
  }
  std::exit(3);
}

TEST(watchdog_death, ignores_tests_that_end_in_time) {
  EXPECT_EXIT(end_before_the_limit(), testing::ExitedWithCode(3), "^$");
}

TEST(watchdog_limit, comes_from_the_environment) {
  ASSERT_EQ(setenv("JACKDAW_TEST_TIMEOUT", "7", 1), 0);
  EXPECT_EQ(limit_from_environment(), std::chrono::seconds(7));
  ASSERT_EQ(unsetenv("JACKDAW_TEST_TIMEOUT"), 0);
  EXPECT_EQ(limit_from_environment(), std::chrono::seconds(100));
}

TEST(watchdog_limit_death, refuses_invalid_numbers_of_seconds) {
  for (const char* bad : {"", "0", "-1", "7s", "many"}) {
    EXPECT_EXIT(
        {
          setenv("JACKDAW_TEST_TIMEOUT", bad, 1);
          limit_from_environment();
        },
        testing::ExitedWithCode(2), "JACKDAW_TEST_TIMEOUT: '.*', expected a whole number of seconds");
  }
}

}  // namespace
