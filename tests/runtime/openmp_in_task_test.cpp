// The team of an OpenMP region in a task of a pinned worker: its new threads may run where the process may.
#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <array>

#include "jackdaw/jackdaw.hpp"

namespace {

/// 0 if the system does not tell.
int processors_of_this_thread() {
  cpu_set_t mask;
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0;
}

TEST(openmp_in_task, has_threads_that_are_not_pinned) {
  const int process = processors_of_this_thread();
  if (process < 2) GTEST_SKIP() << "needs two processors";
  jackdaw::runtime rt({.scheduler = "random", .workers = 2, .pin = true});
  if (!rt.where().bindable()) GTEST_SKIP() << "the machine is only described";
  std::array<int, 4> seen{};
  int pin = 0;
  rt.run([&] {
    pin = processors_of_this_thread();
#pragma omp parallel num_threads(4)
    seen.at(static_cast<std::size_t>(omp_get_thread_num())) = processors_of_this_thread();
  });
  ASSERT_EQ(pin, 1);
  EXPECT_EQ(seen[0], 1) << "the task's own thread";
  for (const std::size_t i : {1, 2, 3}) EXPECT_EQ(seen.at(i), process) << "thread " << i << " of the team";
}

}  // namespace
