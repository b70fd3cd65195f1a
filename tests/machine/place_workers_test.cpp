#include <jackdaw/machine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace jackdaw {
namespace {

constexpr placement_order both[] = {placement_order::scatter, placement_order::compact};

// A described machine that claims to be real, so that places name the CPUs.
machine pretend(const std::string& description) {
  machine m = machine::from_synthetic(description);
  m.is_this_computer = true;
  return m;
}

std::vector<unsigned> packages(const std::vector<worker_place>& places) {
  std::vector<unsigned> result;
  for (const worker_place& p : places) result.push_back(p.package);
  return result;
}

std::vector<unsigned> cores(const std::vector<worker_place>& places) {
  std::vector<unsigned> result;
  for (const worker_place& p : places) result.push_back(p.core);
  return result;
}

// CPUs, with 9999 for "not pinned".
std::vector<unsigned> cpus(const std::vector<worker_place>& places) {
  std::vector<unsigned> result;
  for (const worker_place& p : places) result.push_back(p.os_cpu.value_or(9999));
  return result;
}

template <class Project>
bool neighbours(const std::vector<worker_place>& places, Project project) {
  std::set<unsigned> seen;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && project(places[i]) == project(places[i - 1])) continue;
    if (!seen.insert(project(places[i])).second) return false;
  }
  return true;
}

using numbers = std::vector<unsigned>;

TEST(place_workers, scatter_spreads_over_packages_and_numbers_neighbours_together) {
  const machine m = pretend("package:2 core:6 pu:1");
  EXPECT_EQ(cores(m.place_workers(4, placement_order::scatter)), (numbers{0, 1, 6, 7}));
  EXPECT_EQ(cores(m.place_workers(3, placement_order::scatter)), (numbers{0, 1, 6}));
  EXPECT_EQ(cpus(m.place_workers(4, placement_order::scatter)), (numbers{0, 1, 6, 7}));
}

TEST(place_workers, compact_fills_one_package_after_another) {
  const machine m = pretend("package:2 core:6 pu:1");
  EXPECT_EQ(cores(m.place_workers(4, placement_order::compact)), (numbers{0, 1, 2, 3}));
  EXPECT_EQ(cores(m.place_workers(8, placement_order::compact)), (numbers{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(place_workers, scatter_is_level_on_every_floor_of_the_tree) {
  const machine m = pretend("package:2 group:2 [numa] l3:2 core:2 pu:1");
  EXPECT_EQ(cores(m.place_workers(2, placement_order::scatter)), (numbers{0, 8}));
  EXPECT_EQ(cores(m.place_workers(4, placement_order::scatter)), (numbers{0, 4, 8, 12}));
  EXPECT_EQ(cores(m.place_workers(8, placement_order::scatter)), (numbers{0, 2, 4, 6, 8, 10, 12, 14}));
}

TEST(place_workers, one_worker_per_core_by_default) {
  const machine m = pretend("package:8 l3:1 core:4 pu:2");
  for (const placement_order order : both) {
    const auto places = m.place_workers(0, order);
    ASSERT_EQ(places.size(), 32u);
    for (unsigned i = 0; i < 32; ++i) {
      EXPECT_EQ(places[i].core, i);
      EXPECT_EQ(places[i].os_cpu, 2 * i);
      EXPECT_EQ(places[i].package, i / 4);
    }
  }
}

TEST(place_workers, the_faster_cores_come_first) {
  machine m = machine::from_synthetic("package:1 core:6 pu:1");
  m.core_types = {{0, "slow", {0, 1, 2, 3}}, {1, "fast", {4, 5}}};
  for (machine::core& each : m.cores) each.type = each.index < 4 ? 0 : 1;
  const auto cores = [&](unsigned workers) {
    std::vector<unsigned> found;
    for (const worker_place& each : m.place_workers(workers, placement_order::scatter)) found.push_back(each.core);
    return found;
  };
  EXPECT_EQ(cores(1), (std::vector<unsigned>{4}));
  EXPECT_EQ(cores(2), (std::vector<unsigned>{4, 5}));
  EXPECT_EQ(cores(3).size(), 3u);
  EXPECT_EQ(cores(6), (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
}

TEST(place_workers, the_quota_limits_only_the_default) {
  machine m = pretend("package:2 core:4 pu:1");
  m.cpu_quota = 3;
  EXPECT_EQ(m.place_workers(0, placement_order::scatter).size(), 3u);
  EXPECT_EQ(m.place_workers(8, placement_order::scatter).size(), 8u);
}

TEST(place_workers, siblings_come_after_all_cores_have_one) {
  const machine m = pretend("package:2 core:2 pu:2");
  EXPECT_EQ(cpus(m.place_workers(5, placement_order::compact)), (numbers{0, 1, 2, 4, 6}));
  EXPECT_EQ(cpus(m.place_workers(6, placement_order::compact)), (numbers{0, 1, 2, 3, 4, 6}));
  EXPECT_EQ(cpus(m.place_workers(6, placement_order::scatter)), (numbers{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(cpus(m.place_workers(8, placement_order::scatter)), (numbers{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(place_workers, no_two_pinned_workers_share_a_cpu) {
  const machine m = pretend("package:3 group:2 [numa] l3:2 core:3 pu:2");
  for (const placement_order order : both) {
    for (unsigned workers = 1; workers <= m.usable_cpus(); ++workers) {
      const auto places = m.place_workers(workers, order);
      const numbers used = cpus(places);
      ASSERT_EQ(std::set<unsigned>(used.begin(), used.end()).size(), workers);
      ASSERT_FALSE(std::count(used.begin(), used.end(), 9999u));
    }
  }
}

TEST(place_workers, workers_of_one_package_domain_l3_and_core_are_neighbours) {
  for (const char* description : {"package:8 l3:1 core:4 pu:2", "package:4 group:2 [numa] l3:2 core:3 pu:2",
                                  "package:1 group:4 [numa] [numa] l2:4 core:2 pu:4", "package:2 core:6 pu:1"}) {
    const machine m = pretend(description);
    for (const placement_order order : both) {
      for (unsigned workers = 1; workers <= 2 * m.usable_cpus(); workers += 3) {
        const auto places = m.place_workers(workers, order);
        ASSERT_EQ(places.size(), workers);
        ASSERT_TRUE(neighbours(places, [](const worker_place& p) { return p.package; }));
        ASSERT_TRUE(neighbours(places, [](const worker_place& p) { return p.numa_node; }));
        ASSERT_TRUE(neighbours(places, [](const worker_place& p) { return p.l3_group; }));
        ASSERT_TRUE(neighbours(places, [](const worker_place& p) { return p.core; }));
      }
    }
  }
}

TEST(place_workers, more_workers_than_cpus_are_not_pinned_but_keep_their_packages) {
  const machine m = pretend("package:8 core:1 pu:1");
  for (const placement_order order : both) {
    const auto places = m.place_workers(16, order);
    EXPECT_EQ(packages(places), (numbers{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}));
    EXPECT_EQ(cpus(places), numbers(16, 9999));
  }
}

TEST(place_workers, nothing_is_pinned_on_a_described_machine) {
  const machine m = machine::from_synthetic("package:8 core:4 pu:1");
  const auto places = m.place_workers(8, placement_order::scatter);
  EXPECT_EQ(packages(places), (numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(cpus(places), numbers(8, 9999));
}

TEST(place_workers, only_usable_cpus_are_taken) {
  machine m = pretend("package:2 core:2 pu:2");
  // As if under `taskset -c 3,4-7`.
  for (const unsigned cpu : {0u, 1u, 2u}) {
    m.cpus[cpu].state = machine::cpu_state::not_in_affinity;
    std::erase(m.cores[cpu / 2].usable_os_cpus, cpu);
  }
  EXPECT_EQ(m.usable_cores(), 3u);
  EXPECT_EQ(m.usable_cpus(), 5u);
  EXPECT_EQ(cpus(m.place_workers(0, placement_order::scatter)), (numbers{3, 4, 6}));
  EXPECT_EQ(cpus(m.place_workers(4, placement_order::scatter)), (numbers{3, 4, 5, 6}));
  EXPECT_EQ(cpus(m.place_workers(6, placement_order::scatter)), numbers(6, 9999));
}

TEST(place_workers, uneven_packages_are_level_as_far_as_they_go) {
  machine m = pretend("package:2 core:4 pu:1");
  for (const unsigned core : {0u, 1u, 2u}) {
    m.cpus[core].state = machine::cpu_state::not_in_cpuset;
    m.cores[core].usable_os_cpus.clear();
  }
  EXPECT_EQ(cores(m.place_workers(4, placement_order::scatter)), (numbers{3, 4, 5, 6}));
}

TEST(place_workers, one_package_of_two_cores) {
  const machine m = pretend("package:1 core:2 pu:1");
  EXPECT_EQ(cores(m.place_workers(0, placement_order::scatter)), (numbers{0, 1}));
  EXPECT_EQ(cores(m.place_workers(1, placement_order::compact)), (numbers{0}));
  EXPECT_EQ(m.place_workers(4096, placement_order::scatter).size(), 4096u);
}

}  // namespace
}  // namespace jackdaw
