#include <jackdaw/machine.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "machine/probe/kernels.hpp"
#include "machine/probe/machine_probe.hpp"
#include "machine_files/small_machine.hpp"

namespace jackdaw {
namespace {

using probe::outline_machine;

const machine_model::provenance& origin_of(const machine_model& model, const std::string& key) {
  const auto found =
      std::find_if(model.origins.begin(), model.origins.end(), [&](const auto& origin) { return origin.key == key; });
  if (found == model.origins.end()) throw error("no origin of " + key);
  return *found;
}

TEST(outline_machine, has_a_socket_for_each_package_and_node) {
  const machine_model model =
      outline_machine(machine::from_synthetic("package:2 numa:1(memory=8589934592) l3:1(size=33554432) core:4 pu:2"));
  EXPECT_EQ(model.sockets, 2u);
  EXPECT_EQ(model.cores_per_socket, 4u);
  EXPECT_EQ(model.shared_cache.size, 32u << 20);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[0].socket, 0u);
  EXPECT_EQ(model.nodes[1].socket, 1u);
  EXPECT_EQ(model.nodes[1].capacity, std::uint64_t{8} << 30);
  EXPECT_EQ(model.links.size(), 2u);
}

TEST(outline_machine, has_several_caches_in_a_socket) {
  const machine_model model =
      outline_machine(machine::from_synthetic("package:2 numa:1(memory=17179869184) l3:4(size=16777216) core:2 pu:1"));
  EXPECT_EQ(model.sockets, 2u);
  EXPECT_EQ(model.cores_per_socket, 8u);
  EXPECT_EQ(model.shared_cache.size, 16u << 20);
  EXPECT_EQ(model.shared_cache_cores, 2u);
  EXPECT_EQ(origin_of(model, "shared_cache.cores").from, machine_model::origin::measured);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[1].capacity, std::uint64_t{16} << 30);
  EXPECT_EQ(model.links.size(), 2u);
}

TEST(outline_machine, gives_all_caches_the_cores_of_the_largest) {
  machine found = machine::from_synthetic("package:1 numa:1 l3:2(size=16777216) core:4 pu:1");
  found.cores[5].usable_os_cpus.clear();
  const machine_model model = outline_machine(found);
  EXPECT_EQ(model.cores_per_socket, 8u);
  EXPECT_EQ(model.shared_cache_cores, 4u);
  EXPECT_EQ(origin_of(model, "cores_per_socket").from, machine_model::origin::assumed);
  EXPECT_EQ(outline_machine(machine::from_synthetic("package:1 l3:1 core:4 pu:1")).shared_cache_cores, 0u);
}

/// One memory node for two packages, as firmware may present them.
TEST(outline_machine, splits_a_node_over_its_packages) {
  const machine_model model =
      outline_machine(machine::from_synthetic("numa:1(memory=17179869184) package:2 l3:1(size=16777216) core:2 pu:1"));
  EXPECT_EQ(model.sockets, 2u);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[0].capacity, std::uint64_t{8} << 30);
  EXPECT_EQ(model.links[0].latency, 0);
}

TEST(outline_machine, splits_a_cache_over_its_nodes) {
  const machine_model model = outline_machine(
      machine::from_synthetic("package:1 l3:1(size=33554432) group:2 numa:1(memory=17179869184) core:3 pu:1"));
  EXPECT_EQ(model.sockets, 2u);
  EXPECT_EQ(model.cores_per_socket, 3u);
  EXPECT_EQ(model.shared_cache.size, 16u << 20);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes[0].capacity, std::uint64_t{16} << 30);
}

TEST(outline_machine, marks_unmeasured_figures_as_assumed) {
  const machine_model model = outline_machine(machine::from_synthetic("package:2 numa:1 core:2 pu:1"));
  EXPECT_EQ(origin_of(model, "sockets").from, machine_model::origin::measured);
  EXPECT_EQ(origin_of(model, "compute_rate").from, machine_model::origin::assumed);
  EXPECT_EQ(origin_of(model, "node.0.bandwidth").from, machine_model::origin::assumed);
  EXPECT_EQ(origin_of(model, "link.0-1.latency").from, machine_model::origin::assumed);
}

TEST(outline_machine, takes_the_fill_policy_from_what_is_known) {
  machine found = machine::from_synthetic("package:2 l3:1(size=33554432) core:4 pu:1");
  const auto outlined = [&](const char* name, std::optional<bool> inclusive) {
    found.name = name;
    for (machine::l3_group& group : found.l3_groups) group.inclusive = inclusive;
    return outline_machine(found);
  };
  using fill = machine_model::fill_policy;
  const machine_model old = outlined("Intel Xeon", true);
  EXPECT_EQ(old.fill, fill::inclusive);
  EXPECT_EQ(origin_of(old, "shared_cache.policy").from, machine_model::origin::measured);
  EXPECT_EQ(outlined("Intel Xeon", false).fill, fill::victim);
  EXPECT_EQ(outlined("AMD EPYC", false).fill, fill::exclusive);
  const machine_model unknown = outlined("AMD EPYC", std::nullopt);
  EXPECT_EQ(unknown.fill, fill::exclusive);
  EXPECT_EQ(origin_of(unknown, "shared_cache.policy").from, machine_model::origin::assumed);
}

TEST(outline_machine, is_always_a_machine_that_can_be_read) {
  for (const char* const description : {"pu:1", "core:3 pu:2", "package:8 l3:1 core:4 pu:2", "numa:2 l2:2 core:2 pu:1",
                                        "package:2 group:4 numa:1 core:2 pu:1", "package:2 l3:4 core:2 pu:2"}) {
    SCOPED_TRACE(description);
    const machine_model model = outline_machine(machine::from_synthetic(description));
    const machine_model again = parse_machine_model(to_toml(model), "outline.toml");
    EXPECT_EQ(again.cores(), model.cores());
    for (const auto& origin : again.origins) EXPECT_NE(origin.note, "no note") << origin.key;
  }
}

TEST(chains, go_through_all_lines_and_end_where_they_began) {
  constexpr std::size_t lines = 64, words = lines * probe::line / sizeof(std::uint64_t);
  std::vector<std::uint64_t> data(words);
  probe::make_chain(data.data(), lines);
  std::vector<std::uint64_t> at{0, words / 2, words - 8};
  const std::vector<std::uint64_t> began = at;
  std::set<std::uint64_t> seen;
  for (std::size_t step = 0; step < lines; ++step) {
    seen.insert(at[1]);
    EXPECT_EQ(at[0], probe::follow_chain(data.data(), 0, step));
    probe::follow_chains(data.data(), at, 1);
  }
  EXPECT_EQ(seen.size(), lines);
  EXPECT_EQ(at, began);
}

TEST(measure_machine, measures_no_other_computer) {
  EXPECT_EQ(error_of([] { probe::measure_machine(machine::from_synthetic("core:2 pu:1"), "2026-01-02"); }),
            "HWLOC_SYNTHETIC: describes another machine, expected this computer");
}

}  // namespace
}  // namespace jackdaw
