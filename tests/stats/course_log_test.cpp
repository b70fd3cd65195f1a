#include "runtime/course_log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jackdaw::detail {
namespace {

using kind = worker_event::kind;

class course_log_test : public testing::Test {
 public:
  worker_event event(kind what, std::uint32_t worker = 0) {
    worker_event fresh;
    fresh.what = what;
    fresh.worker = worker;
    fresh.at = ++now_;
    return fresh;
  }
  void task(kind what, std::uint64_t number, std::uint64_t parent, std::uint32_t worker = 0) {
    worker_event fresh = event(what, worker);
    fresh.task = number;
    fresh.parent = parent;
    fresh.is_root = parent == 0;
    fresh.stack = 1000 + number;
    fresh.first = 0;
    fresh.last = 1;
    log.see(fresh);
  }
  void group(kind what, std::string_view name) {
    worker_event fresh = event(what);
    fresh.task = 1;
    fresh.name = name;
    fresh.is_root = true;
    log.see(fresh);
  }

  course_log log{2};

 private:
  std::uint64_t now_ = 0;
};

TEST_F(course_log_test, tasks_know_their_parents) {
  task(kind::begin, 1, 0);
  task(kind::begin, 2, 1, 1);
  task(kind::end, 2, 1, 1);
  task(kind::end, 1, 0);
  const auto tasks = log.read().tasks;
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].parent, 0U);
  EXPECT_EQ(tasks[1].parent, tasks[0].id);
  EXPECT_EQ(tasks[1].depth, 1U);
  EXPECT_EQ(tasks[1].worker, 1U);
}

TEST_F(course_log_test, what_is_stolen_belongs_to_what_the_victim_runs) {
  task(kind::begin, 1, 0);
  worker_event steal = event(kind::steal, 1);
  steal.other = 0;
  log.see(steal);
  worker_event run = event(kind::run, 1);
  run.stack = 77;
  log.see(run);
  worker_event leave = event(kind::leave, 1);
  leave.stack = 77;
  log.see(leave);
  task(kind::end, 1, 0);
  const auto tasks = log.read().tasks;
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[1].parent, tasks[0].id);
  EXPECT_EQ(tasks[1].worker, 1U);
  EXPECT_LT(tasks[1].last, tasks[1].first);
}

TEST_F(course_log_test, iterations_are_groups_before_regions_before_roots) {
  task(kind::begin, 1, 0);
  task(kind::end, 1, 0);
  ASSERT_EQ(log.read().iterations.size(), 1U);
  group(kind::enter_region, "all");
  EXPECT_EQ(log.read().iterations[0].region, "");
  group(kind::leave_region, "all");
  EXPECT_EQ(log.read().iterations[0].region, "all");
  for (int i = 0; i < 3; ++i) {
    group(kind::open, "step");
    group(kind::close, "step");
  }
  group(kind::close, "step");  // an end without a beginning is not counted
  EXPECT_EQ(log.read().iterations.size(), 3U);
}

TEST_F(course_log_test, keeps_a_bounded_number_of_tasks) {
  for (std::size_t i = 0; i < course_log::most + 10; ++i) {
    task(kind::begin, 1, 0);
    task(kind::end, 1, 0);
  }
  EXPECT_EQ(log.read().tasks.size(), course_log::most);
}

TEST_F(course_log_test, keeps_decisions_in_order) {
  static constexpr sched::decision first{"first", {"does one thing", "does another"}}, second{"second", {"is done"}};
  log.decide({7, 1, &first, 1});
  log.decide({9, 0, &second, 40});
  const auto found = log.read().decisions;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].what->in_words(found[0].value), "does another");
  EXPECT_EQ(found[1].what->in_words(found[1].value), "is done");
}

}  // namespace
}  // namespace jackdaw::detail
