#include "machine/probe/numa_figures.hpp"

#include <gtest/gtest.h>
#include <jackdaw/machine.hpp>

#include "support/error_of.hpp"

namespace jackdaw {
namespace {

using probe::numa_figures;
using reader = numa_figures::reader;

TEST(numa_figures, has_the_papers_ratio_of_its_table_one) {
  const numa_figures figures{
      .nodes = {0, 1},
      .readers = {{.number = 0, .home = 0, .latency = {77.3, 124.7}, .bandwidth = {45, 25}, .remote = {1}},
                  {.number = 1, .home = 1, .latency = {122.8, 75.0}, .bandwidth = {25, 45}, .remote = {0}}},
      .notes = {}};
  EXPECT_DOUBLE_EQ(*figures.readers[0].ratio(), 124.7 / 77.3);
  EXPECT_DOUBLE_EQ(*figures.readers[1].ratio(), 122.8 / 75.0);
  EXPECT_NEAR(figures.ratio(), 1.625, 5e-4);
  EXPECT_EQ(figures.no_ratio(), "");
}

TEST(numa_figures, takes_the_mean_of_several_remote_nodes_and_leaves_out_memory_without_cores) {
  const numa_figures figures{
      .nodes = {0, 1, 2, 3},
      .readers = {{.number = 0, .home = 0, .latency = {100, 150, 210, 500}, .bandwidth = {}, .remote = {1, 2}}},
      .notes = {}};
  EXPECT_DOUBLE_EQ(figures.ratio(), 1.8);
}

TEST(numa_figures, does_not_count_what_is_not_known) {
  const reader known{.number = 0, .home = 0, .latency = {100, 200, 0}, .bandwidth = {}, .remote = {1, 2}};
  const reader without_memory{.number = 1, .home = {}, .latency = {100, 200, 300}, .bandwidth = {}, .remote = {0, 1}};
  const reader unmeasured{.number = 2, .home = 2, .latency = {100, 200, 0}, .bandwidth = {}, .remote = {0, 1}};
  EXPECT_DOUBLE_EQ((numa_figures{{0, 1, 2}, {known, without_memory, unmeasured}, {}}).ratio(), 2);
  const numa_figures none{{0, 1, 2}, {without_memory, unmeasured}, {}};
  EXPECT_EQ(none.ratio(), 1);
  EXPECT_EQ(none.no_ratio(), "no remote latency is known");
}

TEST(numa_figures, says_why_nothing_is_remote) {
  const numa_figures one{{0}, {{.number = 0, .home = 0, .latency = {90}, .bandwidth = {10}, .remote = {}}}, {}};
  EXPECT_EQ(one.ratio(), 1);
  EXPECT_EQ(one.no_ratio(), "there is one memory node, so no access is remote");
  const numa_figures hbm{{0, 1}, {{.number = 0, .home = 0, .latency = {90, 130}, .bandwidth = {}, .remote = {}}}, {}};
  EXPECT_EQ(hbm.ratio(), 1);
  EXPECT_EQ(hbm.no_ratio(), "only one memory node has cores, so no core's own memory is remote to another");
}

TEST(measure_numa, refuses_a_machine_that_is_not_here) {
  EXPECT_EQ(error_of([] { probe::measure_numa(machine::from_synthetic("package:2 numa:1 core:2 pu:1")); }),
            "HWLOC_SYNTHETIC: describes another machine, expected this computer, or a machine file with --machine");
}

TEST(measure_numa, refuses_a_computer_without_usable_cores) {
  machine found = machine::from_synthetic("package:2 numa:1 core:2 pu:1");
  found.is_this_computer = true;
  for (machine::core& core : found.cores) core.usable_os_cpus.clear();
  EXPECT_NE(error_of([&] { probe::measure_numa(found); }).find("no usable core"), std::string::npos);
}

TEST(measure_numa, finds_what_this_computer_has) {
  const machine here = machine::detect();
  if (!here.is_this_computer) GTEST_SKIP() << here.source;
  const numa_figures figures = probe::measure_numa(here);
  ASSERT_FALSE(figures.readers.empty());
  for (const reader& each : figures.readers) {
    ASSERT_EQ(each.latency.size(), figures.nodes.size());
    ASSERT_EQ(each.bandwidth.size(), figures.nodes.size());
    ASSERT_TRUE(each.home);
    EXPECT_GT(each.latency[*each.home], 1);
    EXPECT_GT(each.bandwidth[*each.home], 0.01);
  }
  EXPECT_GT(figures.ratio(), 0);
  EXPECT_EQ(figures.no_ratio().empty(), figures.readers.front().ratio().has_value());
}

}  // namespace
}  // namespace jackdaw
