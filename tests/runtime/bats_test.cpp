// BATS on real threads: its rules on described machines, its data on this one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory/placed_array.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "profile/page_faults.hpp"
#include "runtime/threads.hpp"
#include "sched/bats_log.hpp"
#include "sched/logging_scheduler.hpp"
#include "sched/squad_log.hpp"

namespace jackdaw::test {
namespace {

void update(std::uint32_t* all, std::size_t count, std::size_t leaf) {
  for_range(
      std::size_t{0}, count,
      [all](std::size_t first, std::size_t last) {
        writes(all + first, last - first);
        for (std::size_t i = first; i < last; ++i) ++all[i];
      },
      grain{leaf});
}

class bats : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(bats, keeps_its_rules) {
  constexpr std::size_t cells = 1 << 17, leaf = 128, iterations = 16;
  const auto& [topology, scheduler] = GetParam();
  const machine where = machine::from_synthetic(topology);
  // A program with a given data size is not judged CPU-bound.
  auto logged = std::make_unique<patient>(sched::make_scheduler(scheduler, {.data = 64 << 20}));
  const sched::logging_scheduler& kept = *logged;
  detail::threads engine(std::move(logged), where, where.place_workers(0, placement_order::scatter), 1 << 16, nullptr);
  std::vector<std::uint32_t> all(cells);
  auto program = [&] {
    for (std::size_t i = 0; i < iterations; ++i) update(all.data(), cells, leaf);
  };
  detail::root_of<decltype(program)> root(program);
  engine.send(root);
  root.wait();
  root.result();
  for (const std::uint32_t each : all) ASSERT_EQ(each, iterations);
  const bats_log log{{kept.events(), engine.squads()}, scheduler == "bats:paper"};
  EXPECT_GT(log.expect_closed_squads_while_exploring(), 0u);
  log.expect_five_levels_in_order();
  const std::vector<std::string> decided = log.iterations();
  ASSERT_EQ(decided.size(), iterations);
  EXPECT_EQ(decided[0], "distribute");
  // Times that change may have it tried again where they belong.
  EXPECT_GT(std::count(decided.begin(), decided.end(), "localise"), 0);
}

INSTANTIATE_TEST_SUITE_P(all, bats,
                         testing::Combine(testing::Values("package:2 l3:1(size=4MB) core:4 pu:1",
                                                          "package:4 l3:1(size=4MB) core:2 pu:1"),
                                          testing::Values("bats", "bats:paper")));

TEST(bats_here, watches_the_data_of_containers_and_leaves_them_whole) {
  constexpr std::size_t cells = std::size_t{6} << 20, iterations = 6;  // 24 MiB: enough to be watched
  runtime workers({.scheduler = "bats", .workers = 2, .data_size = cells * sizeof(std::uint32_t)});
  workers.run([&] {
    placed_array<std::uint32_t> all(cells);
    for (std::size_t i = 0; i < iterations; ++i) update(all.data(), cells, cells / 64);
    for (const std::uint32_t each : all) ASSERT_EQ(each, iterations);
  });
  const data_report told = workers.data();
  EXPECT_NE(told.watched_by, hotness_source::none);
  EXPECT_GE(told.areas, 8u);
  EXPECT_EQ(told.failed, 0u);
  EXPECT_EQ(told.touch_refused, 0) << told.text();
}

TEST(bats_here, samples_what_its_workers_access) {
  if (!page_faults_can_be_sampled()) GTEST_SKIP() << "page faults cannot be sampled here";
  constexpr std::size_t leaves = 16, iterations = 6;
  const std::size_t page = base_page_size();
  const machine here = machine::detect();
  detail::threads engine(sched::make_scheduler("bats", {.data = leaves << 20}), here,
                         here.place_workers(2, placement_order::compact), 1 << 16, nullptr, samples_of_page_faults());
  placed_memory array(leaves << 20, placement::first_touch().with_pages(page_choice::base));
  std::atomic<int> arrived{0};
  const auto meet = [&arrived] {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  };
  std::atomic<bool> sampled{false};
  std::thread looks([&sampled] {
    for (int i = 0; i < 2000 && perf_mappings() != 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sampled = true;
  });
  auto program = [&] {
    for (std::size_t i = 0; i < iterations; ++i) {
      for_index(std::size_t{0}, leaves, [&](std::size_t leaf) {
        if (i == 0 && (leaf == 0 || leaf == leaves - 1)) meet();  // both workers are there from here on
        while (i == 1 && !sampled) std::this_thread::yield();     // the second iteration is watched
        fault(array.data() + (leaf << 20), 64, page);
      });
    }
  };
  detail::root_of<decltype(program)> root(program);
  engine.send(root);
  root.wait();
  root.result();
  looks.join();
  const data_report told = engine.data();
  EXPECT_EQ(told.watched_by, hotness_source::address_samples) << describe(told.watched_by);
  EXPECT_GT(told.samples, 0u);
}

}  // namespace
}  // namespace jackdaw::test
