// Where options come from: the program, configure() for the default runtime, and the environment.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "jackdaw/jackdaw.hpp"
#include "support/error_of.hpp"
#include "support/fib.hpp"
#include "support/in_child.hpp"

namespace {

using jackdaw::configure;
using jackdaw::error_of;
using jackdaw::options;
using jackdaw::runtime;
using jackdaw::test::fib;
using jackdaw::test::in_child;

/// An environment variable for as long as the object lives.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~variable() { unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
};

/// A wrong value of each variable, and what is said of it.
const std::vector<std::pair<const char*, std::pair<const char*, const char*>>> wrong_variables{
    {"JACKDAW_WORKERS", {"many", "JACKDAW_WORKERS: 'many', expected a number of workers from 1 to 4096"}},
    {"JACKDAW_PIN", {"maybe", "JACKDAW_PIN: 'maybe' is neither 0 nor 1"}},
    {"JACKDAW_ORDER", {"random", "JACKDAW_ORDER: 'random', expected scatter or compact"}},
    {"JACKDAW_STACK_SIZE", {"1K", "JACKDAW_STACK_SIZE: 1024 bytes; expected 16384 to 1073741824"}},
    {"JACKDAW_DATA_SIZE",
     {"-1",
      "JACKDAW_DATA_SIZE: '-1', expected a number of bytes from 1 to 2^50, such as 50331648 "
      "or 48M"}},
    {"JACKDAW_BRANCHING", {"1", "JACKDAW_BRANCHING: '1', expected a number of children from 2 to 1024"}},
    {"JACKDAW_NODE_ORDER", {"mixed", "JACKDAW_NODE_ORDER: 'mixed', expected adjacent or apart"}},
    {"JACKDAW_MOVE", {"often", "JACKDAW_MOVE: 'often' is neither 0 nor 1"}},
    {"JACKDAW_CHECKS", {"often", "JACKDAW_CHECKS: 'often', expected abort or report"}},
    {"JACKDAW_COUNT_ACCESSES", {"2", "JACKDAW_COUNT_ACCESSES: '2' is neither 0 nor 1"}},
    {"JACKDAW_EVENTS", {"/none/a", "JACKDAW_EVENTS: '/none/a' cannot be written: No such file or directory"}},
    {"JACKDAW_TRACE", {"/none/b", "JACKDAW_TRACE: '/none/b' cannot be written: No such file or directory"}},
    {"JACKDAW_RECORD", {"/none/c", "JACKDAW_RECORD: '/none/c' cannot be written: No such file or directory"}},
    {"HWLOC_SYNTHETIC",
     {"package:two",
      "HWLOC_SYNTHETIC: 'package:two' is not a synthetic topology, expected something "
      "like 'package:2 l3:1 core:4 pu:2'"}},
    {"HWLOC_XMLFILE", {"/none", "/none: no such file, expected a topology in hwloc's XML format"}},
};

TEST(options, a_wrong_variable_is_ignored_with_one_line) {
  for (const auto& [name, wrong] : wrong_variables) {
    const variable set(name, wrong.first);
    const auto child = in_child([] {
      for (int i = 0; i < 2; ++i) {
        runtime rt({.workers = 1});
        if (rt.run([] { return fib(10); }) != 55) return 1;
      }
      return fib(10) == 55 && runtime::instance().workers() >= 1 ? 0 : 2;
    });
    EXPECT_EQ(child.status, 0) << name;
    // A runtime with a number of workers in its options does not look at JACKDAW_WORKERS; the default one does.
    EXPECT_EQ(child.said, "jackdaw: " + std::string(wrong.second) + "; the variable is ignored\n");
  }
}

TEST(options, several_wrong_variables_are_named_each) {
  const variable workers("JACKDAW_WORKERS", "0"), scheduler("JACKDAW_SCHEDULER", "nope\nnope"),
      size("JACKDAW_PIN", "2");
  const auto child = in_child([] {
    const runtime one, two;
    return one.workers() == one.where().default_workers() && two.scheduler() == "auto" ? 0 : 1;
  });
  EXPECT_EQ(child.status, 0);
  EXPECT_EQ(std::count(child.said.begin(), child.said.end(), '\n'), 3) << child.said;
  EXPECT_NE(child.said.find("JACKDAW_SCHEDULER: no scheduler is called 'nope\\x0anope'"), std::string::npos);
}

TEST(options, threads_that_start_runtimes_at_the_same_time_warn_once) {
  const variable set("JACKDAW_STACK_SIZE", "huge");
  const auto child = in_child([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] { const runtime rt({.workers = 1}); });
    }
    for (std::thread& each : threads) each.join();
    return 0;
  });
  EXPECT_EQ(child.status, 0);
  EXPECT_EQ(std::count(child.said.begin(), child.said.end(), '\n'), 1) << child.said;
}

TEST(options, an_empty_variable_counts_as_unset) {
  for (const auto& each : wrong_variables) {
    const variable set(each.first, "");
    const auto child = in_child([] { return fib(10) == 55 && runtime().workers() >= 1 ? 0 : 1; });
    EXPECT_EQ(child.status, 0) << each.first;
    EXPECT_EQ(child.said, "") << each.first;
  }
}

TEST(options, a_strict_environment_refuses_wrong_variables) {
  jackdaw::detail::strict_environment.store(true);
  for (const auto& [name, wrong] : wrong_variables) {
    const variable set(name, wrong.first);
    EXPECT_EQ(error_of([] { const runtime rt; }), wrong.second);
  }
  jackdaw::detail::strict_environment.store(false);
}

TEST(options, each_has_a_variable) {
  const variable size("JACKDAW_STACK_SIZE", "64M"), order("JACKDAW_ORDER", "compact"), workers("JACKDAW_WORKERS", "4"),
      machine("HWLOC_SYNTHETIC", "package:2 core:4 pu:1");
  const runtime by_environment;
  ASSERT_EQ(by_environment.workers(), 4u);
  EXPECT_EQ(by_environment.place(3).package, 0u);
  const runtime by_program({.workers = 4, .order = jackdaw::placement_order::scatter});
  EXPECT_EQ(by_program.place(3).package, 1u);
  // A frame that needs more than the default of 1 MiB.
  runtime deep;
  deep.run([] {
    volatile char frame[std::size_t{32} << 20];
    frame[0] = 1;
    frame[sizeof frame - 1] = 1;
  });
}

TEST(options, the_default_runtime_is_configured_before_its_first_use) {
  configure({.scheduler = "adws", .workers = 5});
  configure({.scheduler = "random", .workers = 3});  // the last call counts
  EXPECT_EQ(jackdaw::concurrency(), 3u);
  EXPECT_EQ(runtime::instance().scheduler(), "random");
  unsigned inside = 0;
  jackdaw::task_group group;
  group.run([&] { inside = jackdaw::concurrency(); });
  group.wait();
  EXPECT_EQ(inside, 3u);
  EXPECT_EQ(error_of([] { configure({.workers = 2}); }),
            "jackdaw::configure: the default runtime has started, expected a call before the first fork outside of a "
            "task, or after jackdaw::shutdown()");
  jackdaw::shutdown();
  EXPECT_EQ(jackdaw::concurrency(), 3u);  // as before
  jackdaw::shutdown();
  configure({.workers = 2});
  EXPECT_EQ(jackdaw::concurrency(), 2u);
}

TEST(options, configured_ones_are_checked_at_once_and_go_before_the_environment) {
  const variable workers("JACKDAW_WORKERS", "7"), scheduler("JACKDAW_SCHEDULER", "adws");
  EXPECT_NE(error_of([] { configure({.scheduler = "fifo"}); }).find("options.scheduler: no scheduler is called 'fifo'"),
            std::string::npos);
  EXPECT_EQ(error_of([] { configure({.stack_size = 100}); }),
            "options.stack_size: 100 bytes; expected 16384 to 1073741824");
  EXPECT_EQ(error_of([] { configure({.events = "same", .trace = "same"}); }),
            "options.trace: 'same' is the file of options.events, expected another one");
  configure({.workers = 2});
  EXPECT_EQ(runtime::instance().workers(), 2u);
  EXPECT_EQ(runtime::instance().scheduler(), "adws");
  EXPECT_EQ(runtime().workers(), 7u);  // other runtimes are not configured
}

TEST(options, a_child_of_a_fork_keeps_the_configured_ones) {
  configure({.scheduler = "random", .workers = 2});
  const auto before_use = in_child([] { return jackdaw::concurrency() == 2 ? 0 : 1; });
  EXPECT_EQ(before_use.status, 0) << before_use.said;
  EXPECT_EQ(fib(10), 55u);
  const auto after_use = in_child(
      [] { return jackdaw::concurrency() == 2 && !error_of([] { configure({.workers = 3}); }).empty() ? 0 : 1; });
  EXPECT_EQ(after_use.status, 0) << after_use.said;
}

TEST(options, many_threads_may_configure_and_one_of_their_options_counts) {
  std::atomic<unsigned> refused{0};
  std::vector<std::thread> threads;
  for (unsigned i = 1; i <= 4; ++i) {
    threads.emplace_back([i, &refused] {
      for (int round = 0; round < 20; ++round) {
        try {
          configure({.workers = i});
        } catch (const jackdaw::error&) {
          ++refused;
        }
        if (round == 10) {
          EXPECT_EQ(fib(8), 21u);
        }
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_GE(jackdaw::concurrency(), 1u);
  EXPECT_LE(jackdaw::concurrency(), 4u);
  EXPECT_GE(refused, 9u);  // the thread that started it, at least
}

}  // namespace
