// Where workers may run: what tasks and the threads that they start see of the process's processors.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

using jackdaw::machine;
using jackdaw::options;
using jackdaw::runtime;

std::set<unsigned> mask_of_this_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  std::set<unsigned> cpus;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) cpus.insert(cpu);
  }
  return cpus;
}

std::set<unsigned> usable(const machine& where, std::optional<unsigned> l3 = {}) {
  std::set<unsigned> cpus;
  for (const machine::core& each : where.cores) {
    if (!l3 || each.l3_group == *l3) cpus.insert(each.usable_os_cpus.begin(), each.usable_os_cpus.end());
  }
  return cpus;
}

/// Whether usable cores differ in their L3 cache or memory.
bool lie_apart(const machine& where) {
  std::set<std::pair<unsigned, unsigned>> places;
  for (const machine::core& each : where.cores) {
    if (!each.usable_os_cpus.empty()) places.insert({each.l3_group, each.numa_node});
  }
  return places.size() > 1;
}

/// The masks of the workers' own threads, by worker.
std::vector<std::set<unsigned>> masks(runtime& rt) {
  std::vector<std::set<unsigned>> of(rt.workers());
  // A client that stands in for a worker has its own mask. While there are two clients, none does.
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) rt.run([] { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
  });
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto client = std::this_thread::get_id();
  const auto all_there = [&] {
    return std::none_of(of.begin(), of.end(), [](const auto& each) { return each.empty(); });
  };
  while (!all_there() && std::chrono::steady_clock::now() < until) {
    rt.run([&] {
      jackdaw::for_index(
          0u, 4 * rt.workers(),
          [&](unsigned) {
            if (std::this_thread::get_id() != client) of[*jackdaw::this_worker()] = mask_of_this_thread();
            std::this_thread::sleep_for(std::chrono::microseconds(200));
          },
          jackdaw::grain{1});
    });
  }
  done = true;
  other.join();
  return of;
}

TEST(pinning, is_left_out_where_all_cores_are_alike) {
  runtime rt{{.scheduler = "random"}};
  if (lie_apart(rt.where())) GTEST_SKIP() << "this machine has several L3 caches or memory nodes";
  const std::set<unsigned> all = usable(rt.where());
  for (const auto& each : masks(rt)) EXPECT_EQ(each, all);
  for (unsigned i = 0; i < rt.workers(); ++i) {
    EXPECT_FALSE(rt.place(i).os_cpu.has_value());
    EXPECT_FALSE(rt.place(i).stays_in_l3);
  }
}

TEST(pinning, a_thread_that_a_task_starts_may_run_anywhere_then) {
  runtime rt{{.scheduler = "random"}};
  if (lie_apart(rt.where())) GTEST_SKIP() << "this machine has several L3 caches or memory nodes";
  std::set<unsigned> seen;
  rt.run([&] { std::thread([&] { seen = mask_of_this_thread(); }).join(); });
  EXPECT_EQ(seen, usable(rt.where()));
}

TEST(pinning, can_be_asked_for) {
  runtime rt{{.scheduler = "random", .pin = true}};
  if (!rt.where().bindable()) GTEST_SKIP() << "the machine is only described";
  const auto seen = masks(rt);
  std::set<unsigned> used;
  for (unsigned i = 0; i < rt.workers(); ++i) {
    ASSERT_TRUE(rt.place(i).os_cpu.has_value());
    EXPECT_EQ(seen[i], std::set<unsigned>{*rt.place(i).os_cpu});
    used.insert(*rt.place(i).os_cpu);
  }
  EXPECT_EQ(used.size(), rt.workers());
}

TEST(pinning, can_be_refused) {
  runtime rt{{.scheduler = "random", .pin = false}};
  for (const auto& each : masks(rt)) EXPECT_EQ(each, usable(rt.where()));
}

/// With several L3 caches, the workers of a runtime that does not fill the machine leave others room in theirs.
TEST(pinning, of_a_part_of_a_machine) {
  runtime rt{{.scheduler = "random", .workers = 1}};
  if (!rt.where().bindable()) GTEST_SKIP() << "the machine is only described";
  const bool apart = lie_apart(rt.where()) && rt.where().usable_cores() > 1;
  EXPECT_EQ(rt.place(0).stays_in_l3, apart);
  EXPECT_FALSE(rt.place(0).os_cpu.has_value() && rt.where().usable_cores() > 1);
  EXPECT_EQ(masks(rt)[0], apart ? usable(rt.where(), rt.place(0).l3_group) : usable(rt.where()));
}

}  // namespace
