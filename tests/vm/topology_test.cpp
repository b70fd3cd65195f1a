// jackdaw's view of a machine with memory nodes of different speeds.
#include <gtest/gtest.h>

#include <optional>

#include "jackdaw/machine.hpp"
#include "vm/expected_machine.hpp"

namespace {

using jackdaw::machine;
using jackdaw::test::expected_machine;

class topology : public testing::Test {
 protected:
  void SetUp() override {
    const auto described = expected_machine::here();
    if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
    expected = *described;
    found = machine::detect();
    ASSERT_EQ(found.nodes.size(), expected.nodes.size());
  }

  expected_machine expected;
  machine found;
};

TEST_F(topology, packages_cores_and_caches) {
  EXPECT_EQ(found.packages.size(), expected.packages);
  EXPECT_EQ(found.usable_cores(), expected.cores);
  EXPECT_EQ(found.default_workers(), expected.cores);
  EXPECT_EQ(found.numa_domains().size(), expected.packages);
  EXPECT_EQ(found.l3_groups.size(), expected.packages);
  EXPECT_TRUE(found.bindable());
}

TEST_F(topology, nodes_their_processors_and_their_memory) {
  constexpr std::uint64_t mib = 1024 * 1024;
  for (unsigned i = 0; i < found.nodes.size(); ++i) {
    const machine::node& node = found.nodes[i];
    EXPECT_EQ(node.os_index, i);
    EXPECT_EQ(node.cpu_less, expected.nodes[i].cpu_less) << i;
    EXPECT_EQ(node.local_cpus, expected.cpus_of(expected.nodes[i].initiator)) << i;
    EXPECT_EQ(node.cores.size(), expected.cpus_of(i).size()) << i;
    EXPECT_LE(node.capacity, expected.nodes[i].mib * mib) << i;
    // The kernel's own part, most of it on the node that it boots from.
    EXPECT_GT(node.capacity, expected.nodes[i].mib * mib * 3 / 4) << i;
  }
}

TEST_F(topology, bandwidths_and_latencies_of_the_firmware) {
  for (unsigned i = 0; i < found.nodes.size(); ++i) {
    EXPECT_EQ(found.nodes[i].bandwidth, std::optional(expected.nodes[i].bandwidth)) << i;
    EXPECT_EQ(found.nodes[i].latency, std::optional(expected.nodes[i].latency)) << i;
  }
}

TEST_F(topology, distances_of_the_firmware) {
  EXPECT_TRUE(found.distances_declared);
  EXPECT_EQ(found.node_distances, expected.distances);
}

TEST_F(topology, workers_of_one_package_are_nearer_than_those_of_another) {
  const auto places = found.place_workers(0, jackdaw::placement_order::scatter);
  ASSERT_EQ(places.size(), expected.cores);
  for (const auto& a : places) {
    for (const auto& b : places) {
      if (a.core == b.core) continue;
      EXPECT_EQ(found.distance(a, b) < 4, a.package == b.package) << a.core << " and " << b.core;
    }
  }
}

}  // namespace
