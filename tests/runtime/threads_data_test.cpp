// What threads do with data for a scheduler, on a fake kernel.
#include "runtime/threads_data.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <thread>
#include <vector>

#include "jackdaw/access.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "profile/page_faults.hpp"
#include "runtime/keeper.hpp"
#include "runtime/memory_nodes.hpp"

namespace jackdaw::test {
namespace {

TEST_F(keeper, asks_the_kernel_only_when_the_node_changes) {
  const touch_policy before = kernel.current = {.mode = 3, .mask = {5}};
  keeping.touch_to(1, sched::none);
  EXPECT_TRUE(kernel.asked.empty());
  keeping.touch_to(1, 2);
  keeping.touch_to(1, 2);
  keeping.touch_to(1, 0);
  keeping.touch_to(1, sched::none);
  keeping.touch_to(1, 99);
  EXPECT_EQ(kernel.asked, (std::vector<touch_policy>{numa::preferring(hbm), numa::preferring(dram), before}));
  EXPECT_EQ(keeping.report().touch_refused, 0);
}

TEST_F(keeper, knows_whether_the_user_places_what_is_touched_first) {
  EXPECT_FALSE(keeping.user_places());
  kernel.current = {.mode = 3, .mask = {5}};
  const threads_data bound{nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
  EXPECT_TRUE(bound.user_places());
  const threads_data described{nodes(), false, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
  EXPECT_FALSE(described.user_places()) << "the machine is not this one";
}

TEST_F(keeper, does_not_take_the_policy_of_another_runtimes_worker_for_the_users) {
  keeping.touch_to(1, 2);
  const threads_data within{nodes(), true, {0}, {{.workers = {0, 0}}}, kernel, pages};
  EXPECT_FALSE(within.user_places()) << "as of a runtime that a task makes";
  kernel.current = numa::only_to({hbm});
  const threads_data bound{nodes(), true, {0}, {{.workers = {0, 0}}}, kernel, pages};
  EXPECT_TRUE(bound.user_places());
}

TEST_F(keeper, gives_up_when_the_kernel_refuses) {
  kernel.refusal = EPERM;
  keeping.touch_to(0, 2);
  keeping.touch_to(1, 1);
  EXPECT_EQ(kernel.asked.size(), 1u);
  EXPECT_EQ(keeping.report().touch_refused, EPERM);
  EXPECT_NE(keeping.report().text().find("set_mempolicy"), std::string::npos);
}

TEST_F(keeper, tells_declared_accesses_to_own_nodes_from_others) {
  const std::size_t granule = detail::page_homes::granule;
  const std::uintptr_t at = 64 * granule;
  const auto put = [&](std::size_t granules, unsigned node) {
    for (std::uintptr_t page = 0; page < granule / base_page_size(); ++page) {
      kernel.homes[(at + granules * granule) / base_page_size() + page] = static_cast<int>(node);
    }
  };
  put(0, dram);
  put(1, hbm);
  put(2, far_dram);
  put(3, hbm);
  const std::uint64_t lines = granule / 64;  // of one granule
  keeping.declare(0, {.begin = at, .length = 4 * granule}, true);
  EXPECT_EQ(keeping.local(0), 3 * lines);
  EXPECT_EQ(keeping.remote(0), lines);
  keeping.declare(2, {.begin = at, .length = 4 * granule}, true);
  EXPECT_EQ(keeping.local(2), lines);
  EXPECT_EQ(keeping.remote(2), 3 * lines);
  // What has no memory yet counts for nothing.
  keeping.declare(0, {.begin = at + 9 * granule, .length = granule}, true);
  EXPECT_EQ(keeping.local(0) + keeping.remote(0), 4 * lines);
  keeping.declare(1, {.begin = at, .length = granule}, false);
  EXPECT_EQ(keeping.local(1) + keeping.remote(1), 0u);
}

TEST_F(keeper, asks_for_a_place_once_until_data_moves) {
  kernel.other_home = dram;
  const detail::declared_access some{.begin = 1 << 20, .length = 4096};
  keeping.declare(0, some, true);
  keeping.declare(0, some, true);
  EXPECT_EQ(kernel.queries, 1u);
  kernel.other_home = far_dram;
  keeping.forget_homes();
  keeping.declare(0, some, true);
  EXPECT_EQ(kernel.queries, 2u);
  EXPECT_EQ(keeping.local(0), 128u);
  EXPECT_EQ(keeping.remote(0), 64u);
}

TEST_F(keeper_of_an_array, begins_anew_when_it_watches_already) {
  keeping.watch(0, 2);
  keeping.declare(0, accesses(0, count), false);
  keeping.watch(0, 2);
  keeping.declare(0, accesses(count / 2, count), false);
  const std::vector<sched::area> areas = keeping.watched(0);
  ASSERT_EQ(areas.size(), 2u);
  EXPECT_EQ(areas[0].heat, 0);
  EXPECT_GT(areas[1].heat, 0);
  EXPECT_TRUE(keeping.watched(0).empty());
}

TEST_F(keeper_of_an_array, finds_which_squad_uses_what) {
  keeping.watch_users(0, 4);
  keeping.declare(0, accesses(0, count / 2), false);
  keeping.declare(1, accesses(0, count / 4), false);  // of the same squad
  keeping.declare(2, accesses(count / 4, count / 2), false);
  keeping.declare(2, accesses(count / 4, 3 * count / 4), false);
  const std::vector<sched::area> areas = keeping.watched(0);
  ASSERT_EQ(areas.size(), 4u);
  const double all = 64 * count / 4;
  EXPECT_EQ(areas[0].user, 0u);
  EXPECT_DOUBLE_EQ(areas[0].used, 2 * all);
  EXPECT_EQ(areas[1].user, 1u);
  EXPECT_DOUBLE_EQ(areas[1].used, 2 * all);
  EXPECT_DOUBLE_EQ(areas[1].heat, 3 * all);
  EXPECT_EQ(areas[2].user, 1u);
  EXPECT_EQ(areas[3].user, sched::none);
  EXPECT_EQ(areas[3].node, 0u);
  EXPECT_EQ(move(2, 1), count / 4 * base_page_size());
  EXPECT_TRUE(keeping.watched(0).empty());
}

TEST_F(keeper_of_an_array, watches_users_no_longer_than_it_takes) {
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(detail::access_is_heard());
    keeping.watch_users(0, 4);
    keeping.declare(0, accesses(0, count / 2), false);
    std::vector<std::thread> workers;  // of a long recursion, which also declares what it has just declared
    for (std::uint32_t worker = 1; worker < 3; ++worker) {
      workers.emplace_back([&, worker] {
        for (std::size_t i = 0; i < 20'000; ++i) keeping.declare(worker, accesses(i % 2, count / 2), false);
      });
    }
    for (std::thread& each : workers) each.join();
    EXPECT_FALSE(detail::access_is_heard());
    const std::vector<sched::area> areas = keeping.watched(0);
    ASSERT_EQ(areas.size(), 4u) << "what has been seen by then counts";
    EXPECT_GT(areas[0].heat, 0);
    EXPECT_EQ(areas[3].heat, 0);
    EXPECT_TRUE(keeping.watched(0).empty());
  }
}

TEST_F(keeper_of_an_array, finds_heat_and_homes) {
  for (std::size_t i = 0; i < count / 4; ++i) {
    kernel.homes[obedient_kernel::number(array.data() + i * base_page_size())] = hbm;
  }
  const std::vector<sched::area> areas = watch_and_declare();
  ASSERT_EQ(areas.size(), 4u);
  EXPECT_EQ(areas[0].node, 2u);
  EXPECT_EQ(areas[1].node, 0u);
  EXPECT_EQ(areas[3].bytes, count / 4 * base_page_size());
  EXPECT_DOUBLE_EQ(areas[1].heat, 64 * count / 4);
  EXPECT_DOUBLE_EQ(areas[3].heat, 3 * 64 * count / 4);
  EXPECT_EQ(keeping.report().watched_by, hotness_source::declared);
  EXPECT_EQ(keeping.report().areas, 4u);
}

class keeper_that_samples : public keeper {
 protected:
  void SetUp() override {
    if (!page_faults_can_be_sampled()) GTEST_SKIP() << "page faults cannot be sampled here";
  }
  /// Watches while so many of the three workers have arrived; the first accesses the second area, the next one twice as
  /// much of the third, and so on.
  std::vector<sched::area> watch_workers(std::uint32_t count) {
    std::atomic<std::uint32_t> arrived{0};
    std::atomic<bool> go{false};
    std::vector<detail::worker_counts> counts(count);
    std::vector<std::thread> workers;
    for (std::uint32_t id = 0; id < count; ++id) {
      workers.emplace_back([&, id] {
        sampling.arrive(id, counts[id]);
        ++arrived;
        while (!go) std::this_thread::yield();
        std::byte* const at = array.data() + (id + 1) * array.size() / 4;
        for (std::uint32_t round = 0; round <= id; ++round) fault(at, 100, base_page_size());
      });
    }
    while (arrived != count) std::this_thread::yield();
    sampling.watch(0, 4);
    if (count == 3) {
      while (perf_mappings() != count) std::this_thread::yield();
    }
    go = true;
    for (std::thread& each : workers) each.join();
    return sampling.watched(0);
  }

  placed_memory array{profile::hotness::least_data, placement::first_touch().with_pages(page_choice::base)};
  threads_data sampling{
      nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages, samples_of_page_faults()};
};

TEST_F(keeper_that_samples, finds_heat_by_what_its_workers_access) {
  kernel.other_home = dram;
  const std::vector<sched::area> areas = watch_workers(3);
  ASSERT_EQ(areas.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(areas[i].heat, 100.0 * i);
    EXPECT_EQ(areas[i].node, 0u);
  }
  EXPECT_EQ(sampling.report().watched_by, hotness_source::address_samples);
  EXPECT_EQ(sampling.report().samples, 600u);
  EXPECT_EQ(sampling.report().lost_samples, 0u);
}

TEST_F(keeper_that_samples, samples_none_before_all_workers_have_arrived) {
  watch_workers(2);
  EXPECT_NE(sampling.report().watched_by, hotness_source::address_samples);
  EXPECT_EQ(sampling.report().samples, 0u);
}

TEST_F(keeper_of_an_array, says_why_there_are_no_accessed_bits) {
  const placed_memory more(profile::hotness::least_data, placement::first_touch().with_pages(page_choice::base));
  EXPECT_FALSE(watch_and_declare().empty());
  EXPECT_EQ(keeping.report().bits_refused, EPERM);
  EXPECT_NE(keeping.report().text().find("accessed bits"), std::string::npos);
}

TEST(memory_nodes, know_their_squads_and_which_are_fast) {
  machine where = machine::from_synthetic("package:2 numa:1 core:2 pu:1");
  const std::vector<worker_place> places = where.place_workers(4, placement_order::compact);
  const std::vector<sched::squad> squads = {{.workers = {0, 1}}, {.workers = {2, 3}}};
  numa::memory_view view{.nodes = {{.os = 0}, {.os = 1}, {.os = 2, .cpu_less = true}, {.os = 3, .allowed = false}}};
  view.nodes[2].nearby = {2, 3};
  view.nodes[2].kind = "HBM";
  const memory_nodes by_kind = memory_nodes::of(view, where, squads, places);
  ASSERT_EQ(by_kind.os, (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(by_kind.nodes[0].squad, 0u);
  EXPECT_EQ(by_kind.cpus, (std::vector<std::vector<unsigned>>(2))) << "they are not pinned";
  std::vector<worker_place> pinned = places;
  for (unsigned i = 0; i < pinned.size(); ++i) pinned[i].os_cpu = 10 + i;
  EXPECT_EQ(memory_nodes::of(view, where, squads, pinned).cpus,
            (std::vector<std::vector<unsigned>>{{10, 11}, {12, 13}}));
  EXPECT_EQ(by_kind.nodes[1].squad, 1u);
  EXPECT_EQ(by_kind.nodes[2].squad, 1u);
  EXPECT_EQ(by_kind.nodes[2].bandwidth, 1);
  EXPECT_FALSE(by_kind.nodes[1].fast);
  EXPECT_TRUE(by_kind.nodes[2].fast);
  for (std::size_t i = 0; i < 3; ++i) view.nodes[i].bandwidth = i == 1 ? 40 : 20;
  const memory_nodes by_bandwidth = memory_nodes::of(view, where, squads, places);
  EXPECT_TRUE(by_bandwidth.nodes[1].fast);
  EXPECT_FALSE(by_bandwidth.nodes[2].fast);
  EXPECT_EQ(by_bandwidth.index_of(2), 2u);
  EXPECT_EQ(by_bandwidth.index_of(3), sched::none);
}

}  // namespace
}  // namespace jackdaw::test
