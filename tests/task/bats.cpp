// BATS on real threads: its rules on machines that are described, its data on this one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/placed_array.hpp"
#include "sched/bats_log.hpp"
#include "sched/logged.hpp"
#include "task/threads.hpp"

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

class bats : public testing::TestWithParam<std::string> {};

TEST_P(bats, keeps_its_rules) {
  constexpr std::size_t cells = 1 << 17, leaf = 128, iterations = 16;
  const machine where = machine::from_synthetic(GetParam());
  // What is told is not judged CPU-bound.
  auto logged = std::make_unique<sched::logged>(sched::make_scheduler("bats", {.data = 64 << 20}));
  const sched::logged& kept = *logged;
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
  const bats_log log{{kept.events(), engine.squads()}};
  EXPECT_GT(log.expect_closed_squads_while_exploring(), 0u);
  log.expect_five_levels_in_order();
  const std::vector<std::string> decided = log.iterations();
  ASSERT_EQ(decided.size(), iterations);
  EXPECT_EQ(decided[0], "distribute");
  // Times that change may have it tried again where they belong.
  EXPECT_GT(std::count(decided.begin(), decided.end(), "localise"), 0);
}

INSTANTIATE_TEST_SUITE_P(all, bats,
                         testing::Values("package:2 l3:1(size=4MB) core:4 pu:1",
                                         "package:4 l3:1(size=4MB) core:2 pu:1"));

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

}  // namespace
}  // namespace jackdaw::test
