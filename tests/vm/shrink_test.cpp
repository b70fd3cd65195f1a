// No task is lost when processors are taken away from a running runtime.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "support/schedulers.hpp"
#include "vm/expected_machine.hpp"
#include "vm/memory_pages.hpp"
#include "vm/system_files.hpp"
#include "vm/test_name.hpp"

namespace {

using jackdaw::test::expected_machine;
using jackdaw::test::whereabouts;
using jackdaw::test::write_file;

/// A control group with this process in it, whose CPUs can be changed.
class cpuset {
 public:
  cpuset() { group_.enter(); }

  void allow(const std::set<unsigned>& cpus) {
    std::ostringstream list;
    for (const unsigned cpu : cpus) list << cpu << ',';
    group_.set("cpuset.cpus", list.str());
  }

 private:
  const jackdaw::test::control_group group_{"shrink_test", "cpuset"};
};

void switch_cpu(unsigned cpu, bool on) {
  write_file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/online", on ? "1" : "0");
}

/// A runtime that runs one loop after another until it is ended.
class busy_runtime {
 public:
  explicit busy_runtime(const std::string& scheduler)
      : workers_({.scheduler = scheduler}), driver_([this] { drive(); }) {}

  /// The CPUs that leaves ran on in a loop that began after this call.
  std::set<unsigned> cpus_from_now_on() {
    // The loop that is running now began before.
    const unsigned begun = ended_.load() + 1;
    for (unsigned ended = ended_.load(); ended <= begun; ended = ended_.load()) ended_.wait(ended);
    std::set<unsigned> cpus;
    const std::uint64_t mask = last_.load();
    for (unsigned i = 0; i < 64; ++i) {
      if ((mask >> i & 1) != 0) cpus.insert(i);
    }
    return cpus;
  }

  /// Ends the loops; every element was met once in each of them.
  void expect_nothing_lost() {
    stop_ = true;
    driver_.join();
    for (const unsigned cell : cells_) ASSERT_EQ(cell, ended_.load());
  }

  ~busy_runtime() {
    stop_ = true;
    if (driver_.joinable()) driver_.join();
  }
  busy_runtime(const busy_runtime&) = delete;
  busy_runtime& operator=(const busy_runtime&) = delete;

 private:
  void drive() {
    while (!stop_) {
      std::atomic<std::uint64_t> mask{0};
      workers_.run([&] {
        jackdaw::for_range(
            std::size_t{0}, cells_.size(),
            [&](std::size_t first, std::size_t last) {
              mask |= std::uint64_t{1} << whereabouts::now().cpu;
              for (std::size_t i = first; i < last; ++i) ++cells_[i];
            },
            jackdaw::grain{16});
      });
      last_ = mask.load();
      ++ended_;
      ended_.notify_all();
    }
  }

  jackdaw::runtime workers_;
  std::vector<unsigned> cells_ = std::vector<unsigned>(2048);
  std::atomic<std::uint64_t> last_{0};
  std::atomic<unsigned> ended_{0};
  std::atomic<bool> stop_{false};
  std::thread driver_;
};

class shrink : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto described = expected_machine::here();
    if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
    for (unsigned node = 0; node < described->packages; ++node) {
      for (const unsigned cpu : described->cpus_of(node)) {
        all.insert(cpu);
        if (node == 0) first.insert(cpu);
        if (node + 1 == described->packages) last.insert(cpu);
      }
    }
  }

  std::set<unsigned> all, first, last;  // CPUs of every package, the first and the last
};

void expect_within(const std::set<unsigned>& cpus, const std::set<unsigned>& allowed) {
  EXPECT_FALSE(cpus.empty());
  for (const unsigned cpu : cpus) EXPECT_TRUE(allowed.contains(cpu)) << "CPU " << cpu;
}

TEST_P(shrink, a_cpuset_down_to_one_package_and_to_another) {
  cpuset group;
  busy_runtime runtime(GetParam());
  expect_within(runtime.cpus_from_now_on(), all);
  group.allow(first);
  expect_within(runtime.cpus_from_now_on(), first);
  group.allow(last);
  expect_within(runtime.cpus_from_now_on(), last);
  group.allow(all);
  expect_within(runtime.cpus_from_now_on(), all);
  runtime.expect_nothing_lost();
}

TEST_P(shrink, a_package_whose_processors_are_switched_off) {
  std::set<unsigned> rest = all;
  for (const unsigned cpu : last) rest.erase(cpu);

  busy_runtime runtime(GetParam());
  expect_within(runtime.cpus_from_now_on(), all);
  for (const unsigned cpu : last) switch_cpu(cpu, false);
  expect_within(runtime.cpus_from_now_on(), rest);
  for (const unsigned cpu : last) switch_cpu(cpu, true);
  expect_within(runtime.cpus_from_now_on(), all);
  runtime.expect_nothing_lost();
}

INSTANTIATE_TEST_SUITE_P(all, shrink, testing::ValuesIn(jackdaw::test::whole_schedulers()), jackdaw::test::test_name);

}  // namespace
