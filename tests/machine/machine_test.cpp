#include <jackdaw/error.hpp>
#include <jackdaw/machine.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "support/error_of.hpp"

namespace jackdaw {
namespace {

const std::string data = JACKDAW_MACHINE_DATA "/";

std::vector<unsigned> numbers_from(unsigned first, unsigned count) {
  std::vector<unsigned> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

// Sets an environment variable for as long as it lives.
class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~variable() { unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
};

// Every index points at what points back at it.
void expect_consistent(const machine& m) {
  std::size_t in_packages = 0, in_groups = 0, at_home = 0;
  for (const auto& p : m.packages) {
    in_packages += p.cores.size();
    for (const unsigned c : p.cores) EXPECT_EQ(m.cores[c].package, p.index);
  }
  for (const auto& g : m.l3_groups) {
    in_groups += g.cores.size();
    for (const unsigned c : g.cores) {
      EXPECT_EQ(m.cores[c].l3_group, g.index);
      EXPECT_EQ(m.cores[c].package, g.package);
    }
  }
  for (const auto& n : m.nodes) {
    at_home += n.cores.size();
    EXPECT_EQ(n.cpu_less, n.cores.empty());
    EXPECT_EQ(m.node_distance(n.index, n.index), 10u);
    for (const unsigned c : n.cores) EXPECT_EQ(m.cores[c].numa_node, n.index);
  }
  EXPECT_EQ(in_packages, m.cores.size());
  EXPECT_EQ(in_groups, m.cores.size());
  EXPECT_EQ(at_home, m.cores.size());
  EXPECT_EQ(m.node_distances.size(), m.nodes.size() * m.nodes.size());
}

TEST(machine, eight_packages_with_smt) {
  const machine m = machine::from_synthetic("package:8 l3:1 core:4 pu:2");
  expect_consistent(m);
  EXPECT_EQ(m.source, "HWLOC_SYNTHETIC");
  EXPECT_EQ(m.name, "package:8 l3:1 core:4 pu:2");
  EXPECT_FALSE(m.bindable());
  EXPECT_EQ(m.packages.size(), 8u);
  EXPECT_EQ(m.l3_groups.size(), 8u);
  EXPECT_EQ(m.nodes.size(), 1u);
  EXPECT_EQ(m.cores.size(), 32u);
  EXPECT_EQ(m.cpus.size(), 64u);
  EXPECT_EQ(m.usable_cores(), 32u);
  EXPECT_EQ(m.usable_cpus(), 64u);
  EXPECT_EQ(m.default_workers(), 32u);
  EXPECT_EQ(m.cores[5].package, 1u);
  EXPECT_EQ(m.cores[5].os_cpus, (std::vector<unsigned>{10, 11}));
  EXPECT_EQ(m.cores[5].usable_os_cpus, m.cores[5].os_cpus);
  EXPECT_EQ(m.l3_groups[1].level, 3u);
  EXPECT_EQ(m.cores[5].shared_cache, m.l3_groups[1].bytes);
  EXPECT_GT(m.cores[5].shared_cache, 0u);
  EXPECT_FALSE(m.cpu_quota);
}

TEST(machine, numa_domains_within_packages) {
  const machine m = machine::from_synthetic("package:4 group:2 [numa(memory=1GiB)] l3:1 core:2 pu:1");
  expect_consistent(m);
  EXPECT_EQ(m.packages.size(), 4u);
  EXPECT_EQ(m.nodes.size(), 8u);
  EXPECT_EQ(m.numa_domains(), numbers_from(0, 8));
  EXPECT_EQ(m.cores[15].package, 3u);
  EXPECT_EQ(m.cores[15].numa_node, 7u);
  EXPECT_EQ(m.nodes[7].capacity, 1u << 30);
  EXPECT_EQ(m.nodes[7].local_cpus, (std::vector<unsigned>{14, 15}));
}

TEST(machine, undeclared_distances_are_reported) {
  const machine m = machine::from_synthetic("package:2 [numa] [numa] core:2 pu:1");
  EXPECT_FALSE(m.distances_declared);
  EXPECT_TRUE(m.remote_distances.empty());
  EXPECT_EQ(m.node_distances, (std::vector<std::uint64_t>{10, 10, 20, 20,  //
                                                          10, 10, 20, 20,  //
                                                          20, 20, 10, 10,  //
                                                          20, 20, 10, 10}));
}

TEST(machine, memory_side_node_of_a_package_is_home_of_no_core) {
  const machine m = machine::from_synthetic("package:4 [numa] l3:2 [numa] core:2 pu:1");
  expect_consistent(m);
  EXPECT_EQ(m.nodes.size(), 12u);
  EXPECT_EQ(m.numa_domains(), (std::vector<unsigned>{0, 1, 3, 4, 6, 7, 9, 10}));
  EXPECT_TRUE(m.nodes[2].cpu_less);
  EXPECT_EQ(m.nodes[2].local_cpus, numbers_from(0, 4));
}

TEST(machine, cpu_less_nodes_with_distances_and_speeds) {
  const machine m = machine::from_xml(data + "four-sockets-with-hbm.xml");
  expect_consistent(m);
  EXPECT_EQ(m.source, "HWLOC_XMLFILE");
  EXPECT_FALSE(m.bindable());
  ASSERT_EQ(m.nodes.size(), 8u);
  EXPECT_EQ(m.numa_domains(), numbers_from(0, 4));
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(m.nodes[i].os_index, i);
    EXPECT_EQ(m.nodes[i].cpu_less, i >= 4);
    EXPECT_EQ(m.nodes[i].capacity, 512u << 20);
    EXPECT_EQ(m.nodes[i].local_cpus, numbers_from(i % 4 * 2, 2));
    EXPECT_EQ(m.nodes[i].bandwidth, i < 4 ? 22500 : 115000);
    EXPECT_EQ(m.nodes[i].latency, i < 4 ? 130 : 155);
  }
  EXPECT_TRUE(m.distances_declared);
  EXPECT_EQ(m.node_distance(0, 1), 21u);
  EXPECT_EQ(m.node_distance(0, 2), 26u);
  EXPECT_EQ(m.node_distance(0, 4), 31u);
  EXPECT_EQ(m.node_distance(5, 0), 41u);
  EXPECT_EQ(m.remote_distances, (std::vector<std::uint64_t>{21, 26}));
  EXPECT_EQ(m.cores[0].private_cache, 512u << 10);
  EXPECT_EQ(m.cores[0].shared_cache, 16u << 20);
}

TEST(machine, types_of_cores) {
  const machine m = machine::from_xml(data + "two-kinds-of-cores.xml");
  expect_consistent(m);
  ASSERT_EQ(m.core_types.size(), 2u);
  EXPECT_EQ(m.core_types[0].name, "IntelAtom");
  EXPECT_EQ(m.core_types[0].cores, numbers_from(2, 4));
  EXPECT_EQ(m.core_types[1].name, "IntelCore");
  EXPECT_EQ(m.core_types[1].cores, numbers_from(0, 2));
  for (const machine::core& core : m.cores) EXPECT_EQ(core.type, core.index < 2 ? 1u : 0u);
}

TEST(machine, cores_are_of_one_type_if_the_system_tells_none_apart) {
  const machine m = machine::from_synthetic("package:2 core:3 pu:1");
  ASSERT_EQ(m.core_types.size(), 1u);
  EXPECT_EQ(m.core_types[0].cores, numbers_from(0, 6));
}

/// The second kind has one of the cores only; the others are of no kind that is known.
TEST(machine, cores_of_unknown_type_are_a_type) {
  std::ifstream in(data + "two-kinds-of-cores.xml");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  text.erase(text.find("<cpukind cpuset=\"0x0000003c\""),
             text.find("<cpukind cpuset=\"0x00000003\"") - text.find("<cpukind cpuset=\"0x0000003c\""));
  const std::filesystem::path changed = std::filesystem::path(testing::TempDir()) / "jackdaw-unknown-types.xml";
  std::ofstream(changed) << text;
  const machine m = machine::from_xml(changed);
  ASSERT_EQ(m.core_types.size(), 2u);
  EXPECT_EQ(m.core_types[0].name, "");
  EXPECT_EQ(m.core_types[0].cores, numbers_from(2, 4));
  EXPECT_EQ(m.core_types[1].name, "IntelCore");
}

TEST(machine, caches_are_inclusive_if_the_description_says_so) {
  std::ifstream in(data + "four-sockets-with-hbm.xml");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t cache = text.find("<object type=\"L3Cache\"");
  ASSERT_NE(cache, text.npos);
  text.insert(text.find('>', cache) + 1, "<info name=\"Inclusive\" value=\"1\"/>");
  const std::filesystem::path changed = std::filesystem::path(testing::TempDir()) / "jackdaw-inclusive.xml";
  std::ofstream(changed) << text;
  const machine m = machine::from_xml(changed);
  EXPECT_EQ(m.l3_groups.at(0).inclusive, true);
  EXPECT_EQ(m.l3_groups.at(1).inclusive, std::nullopt);
  std::filesystem::remove(changed);
}

TEST(machine, knights_landing_in_snc4_mode) {
  const machine m = machine::from_xml(data + "knights-landing-snc4.xml");
  expect_consistent(m);
  EXPECT_EQ(m.packages.size(), 1u);
  EXPECT_EQ(m.cores.size(), 32u);
  EXPECT_EQ(m.cpus.size(), 128u);
  ASSERT_EQ(m.nodes.size(), 8u);
  EXPECT_EQ(m.numa_domains(), (std::vector<unsigned>{0, 2, 4, 6}));
  EXPECT_EQ(m.nodes[1].kind, "MCDRAM");
  EXPECT_EQ(m.nodes[1].capacity, std::uint64_t{4} << 30);
  EXPECT_EQ(m.l3_groups.size(), 16u);
  EXPECT_EQ(m.l3_groups[3].level, 2u);
  EXPECT_EQ(m.l3_groups[3].cores, (std::vector<unsigned>{6, 7}));
  EXPECT_EQ(m.cores[0].private_cache, 32u << 10);
  EXPECT_EQ(m.cores[0].shared_cache, 1u << 20);
}

TEST(machine, without_cores_packages_or_caches) {
  const machine m = machine::from_synthetic("pu:4");
  expect_consistent(m);
  EXPECT_EQ(m.cores.size(), 4u);
  EXPECT_EQ(m.packages.size(), 1u);
  ASSERT_EQ(m.l3_groups.size(), 1u);
  EXPECT_EQ(m.l3_groups[0].level, 0u);
  EXPECT_EQ(m.l3_groups[0].bytes, 0u);
}

TEST(machine, distance_levels) {
  const machine m = machine::from_synthetic("package:2 group:2 [numa] l3:2 core:2 pu:2");
  const auto places = m.place_workers(32, placement_order::compact);
  const auto from_first = [&](unsigned worker) { return m.distance(places[0], places[worker]); };
  EXPECT_EQ(from_first(0), 0u);
  EXPECT_EQ(from_first(1), 0u);
  EXPECT_EQ(from_first(2), 1u);
  EXPECT_EQ(from_first(4), 2u);
  EXPECT_EQ(from_first(8), 3u);
  EXPECT_EQ(from_first(16), 4u);
  EXPECT_EQ(from_first(31), 4u);
}

TEST(machine, one_node_for_all_packages_does_not_hide_the_packages) {
  const machine m = machine::from_synthetic("package:2 core:2 pu:1");
  const auto places = m.place_workers(4, placement_order::compact);
  EXPECT_EQ(m.distance(places[0], places[1]), 1u);
  EXPECT_EQ(m.distance(places[1], places[2]), 4u);
}

TEST(machine, declared_distances_rank_the_other_packages) {
  const machine m = machine::from_xml(data + "four-sockets-with-hbm.xml");
  const auto places = m.place_workers(4, placement_order::scatter);
  EXPECT_EQ(m.distance(places[0], places[1]), 4u);
  EXPECT_EQ(m.distance(places[0], places[2]), 5u);
  EXPECT_EQ(m.distance(places[0], places[3]), 4u);
}

TEST(machine, this_computer) {
  unsetenv("HWLOC_SYNTHETIC");
  unsetenv("HWLOC_XMLFILE");
  const machine m = machine::detect();
  expect_consistent(m);
  EXPECT_EQ(m.source, "this computer");
  EXPECT_TRUE(m.bindable());
  EXPECT_GE(m.usable_cores(), 1u);
  EXPECT_GE(m.usable_cpus(), m.usable_cores());
  EXPECT_GE(m.default_workers(), 1u);
}

TEST(machine, the_environment_replaces_this_computer) {
  {
    const variable synthetic("HWLOC_SYNTHETIC", "package:2 core:6 pu:1");
    const variable file("HWLOC_XMLFILE", data + "knights-landing-snc4.xml");
    EXPECT_EQ(machine::detect().cores.size(), 12u);
  }
  const variable file("HWLOC_XMLFILE", data + "knights-landing-snc4.xml");
  const machine m = machine::detect();
  EXPECT_EQ(m.source, "HWLOC_XMLFILE");
  EXPECT_EQ(m.usable_cores(), 32u);
}

TEST(machine, unreadable_descriptions_are_errors_of_one_line) {
  EXPECT_EQ(error_of([] { machine::from_synthetic("package:two"); }),
            "HWLOC_SYNTHETIC: 'package:two' is not a synthetic topology, expected something like "
            "'package:2 l3:1 core:4 pu:2'");
  EXPECT_EQ(error_of([] { machine::from_xml("missing.xml"); }),
            "missing.xml: no such file, expected a topology in hwloc's XML format");
  const std::filesystem::path broken = std::filesystem::path(testing::TempDir()) / "jackdaw-broken-topology.xml";
  std::ofstream(broken) << "<topology";
  EXPECT_EQ(error_of([&] { machine::from_xml(broken); }),
            broken.string() + ": not a topology, expected hwloc's XML format as written by 'lstopo --of xml'");
  std::filesystem::remove(broken);
}

TEST(machine, says_why_a_cpu_is_not_used) {
  EXPECT_EQ(why(machine::cpu_state::usable), "usable");
  EXPECT_EQ(why(machine::cpu_state::offline), "offline");
  EXPECT_EQ(why(machine::cpu_state::not_in_cpuset), "left out by the control group's cpuset");
  EXPECT_EQ(why(machine::cpu_state::not_in_affinity), "left out by the affinity mask");
}

}  // namespace
}  // namespace jackdaw
