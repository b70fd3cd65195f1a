// What threads do with data for a scheduler, on a fake kernel.
#include "runtime/threads_data.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "jackdaw/access.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "numa/placed_registry.hpp"
#include "profile/fake_pages.hpp"
#include "profile/page_faults.hpp"
#include "runtime/memory_nodes.hpp"

namespace jackdaw::test {
namespace {

using detail::memory_nodes;
using detail::threads_data;
using numa::touch_policy;

class obedient_kernel final : public numa::numa_kernel {
 public:
  std::map<std::uintptr_t, int> homes;              // of pages by number
  int other_home = -ENOENT;                         // of all other pages
  std::map<std::uintptr_t, touch_policy> policies;  // of pages by number; of all others: current
  touch_policy current{.mode = 3, .mask = {5}};
  std::vector<touch_policy> asked;
  std::size_t room = SIZE_MAX;  // pages that can still be moved
  int refusal = 0;
  unsigned queries = 0, moves = 0;
  /// By how many threads at once it has to move pages before it moves any.
  std::ptrdiff_t movers = 1;

  int bind(void*, std::size_t, numa::kernel_policy, const std::vector<unsigned>&) override { return refusal; }

  int locate(const std::vector<void*>& pages, std::vector<int>& nodes) override {
    const std::lock_guard hold(mutex_);
    ++queries;
    nodes.clear();
    for (const void* each : pages) nodes.push_back(home(each));
    return 0;
  }

  int move(const std::vector<void*>& pages, unsigned node, std::vector<int>& states) override {
    states.assign(pages.size(), 0);
    std::unique_lock hold(mutex_);
    ++moves;
    if (--movers == 0) all_there_.notify_all();
    all_there_.wait(hold, [&] { return movers <= 0; });
    if (refusal != 0) return refusal;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (room == 0) {
        states[i] = -ENOMEM;
      } else {
        --room;
        homes[number(pages[i])] = static_cast<int>(node);
      }
    }
    return 0;
  }

  int set_policy(const touch_policy& wanted) override {
    asked.push_back(wanted);
    if (refusal == 0) current = wanted;
    return refusal;
  }

  int policy(touch_policy& now) override {
    now = current;
    return 0;
  }

  int policy_at(const void* at, touch_policy& now) override {
    const auto known = policies.find(number(at));
    now = known == policies.end() ? current : known->second;
    return 0;
  }

  static std::uintptr_t number(const void* at) { return reinterpret_cast<std::uintptr_t>(at) / base_page_size(); }
  int home(const void* at) const {
    const auto known = homes.find(number(at));
    return known == homes.end() ? other_home : known->second;
  }

 private:
  std::mutex mutex_;  // for what threads that move pages use
  std::condition_variable all_there_;
};

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr unsigned dram = 0, far_dram = 3, hbm = 7;  // as the operating system calls them

class keeper : public testing::Test {
 protected:
  static memory_nodes nodes() {
    memory_nodes all;
    all.nodes = {
        {.squad = 0, .bandwidth = 20}, {.squad = 1, .bandwidth = 20}, {.squad = 0, .fast = true, .bandwidth = 90}};
    all.os = {dram, far_dram, hbm};
    return all;
  }
  obedient_kernel kernel;
  fake_pages pages;
  threads_data keeping{nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
};

TEST_F(keeper, asks_the_kernel_only_when_the_node_changes) {
  const touch_policy before = kernel.current;
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
  EXPECT_TRUE(keeping.user_places());
  kernel.current = {};
  const threads_data free{nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
  EXPECT_FALSE(free.user_places());
  kernel.current = {.mode = 3, .mask = {5}};
  const threads_data described{nodes(), false, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
  EXPECT_FALSE(described.user_places()) << "the machine is not this one";
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

class keeper_of_an_array : public keeper {
 protected:
  static constexpr std::size_t count = 64;
  keeper_of_an_array() {
    pages.refused_from = 0;
    kernel.other_home = dram;
  }

  std::vector<sched::area> watch_and_declare() {
    keeping.watch(0, 4);
    keeping.declare(0, accesses(0, count), false);
    for (int i = 0; i < 2; ++i) keeping.declare(2, accesses(count / 2, count), false);
    return keeping.watched(0);
  }
  std::uint64_t move(std::uint32_t area, std::uint32_t node) {
    sched::area_move one{area, node};
    keeping.move_areas(0, {&one, 1}, no_limit);
    return one.bytes;
  }
  detail::declared_access accesses(std::size_t first, std::size_t last) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(array.data()) + first * base_page_size();
    return {.begin = begin, .length = (last - first) * base_page_size(), .write = true};
  }

  placed_memory array{count * base_page_size(), placement::first_touch().with_pages(page_choice::base)};
};

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

TEST_F(keeper_of_an_array, leaves_what_the_program_has_placed_where_it_is) {
  const placed_memory placed(count * base_page_size(), placement::interleave().with_pages(page_choice::base));
  const auto watch = [&] {
    keeping.watch_users(0, 2);
    keeping.declare(2, accesses(0, count), false);
    keeping.declare(
        2, {.begin = reinterpret_cast<std::uintptr_t>(placed.data()), .length = placed.size(), .write = true}, false);
    return keeping.watched(0);
  };
  ASSERT_EQ(watch().size(), 2u) << "of the other array";
  EXPECT_EQ(move(0, 1), count / 2 * base_page_size());
  EXPECT_EQ(kernel.home(placed.data()), static_cast<int>(dram));
  // The program moves the other one itself, after it has been watched.
  numa::note_placed(array.data(), 1);
  EXPECT_EQ(move(1, 1), 0u);
  EXPECT_TRUE(watch().empty());
}

TEST_F(keeper_of_an_array, moves_nothing_that_lies_where_watched_data_were) {
  std::optional<placed_memory> watched, later;
  watched.emplace(count * base_page_size(), placement::first_touch().with_pages(page_choice::base));
  const auto begin = reinterpret_cast<std::uintptr_t>(watched->data());
  keeping.watch_users(0, 2);
  keeping.declare(2, {.begin = begin, .length = watched->size(), .write = true}, false);
  const std::vector<sched::area> areas = keeping.watched(0);
  ASSERT_EQ(areas.size(), 2u);
  const std::uint32_t its = areas[0].heat > 0 ? 0 : 1;
  watched.reset();
  later.emplace(count * base_page_size(), placement::first_touch().with_pages(page_choice::base));
  EXPECT_EQ(move(its, 1), 0u);
  EXPECT_EQ(move(1 - its, 1), count * base_page_size());
}

TEST_F(keeper_of_an_array, leaves_what_has_a_policy_of_its_own_where_it_is) {
  kernel.policies[obedient_kernel::number(array.data() + count / 2 * base_page_size())] = numa::preferring(dram);
  keeping.watch_users(0, 2);
  keeping.declare(2, accesses(0, count), false);
  ASSERT_EQ(keeping.watched(0).size(), 2u);
  EXPECT_EQ(move(0, 1), count / 2 * base_page_size());
  EXPECT_EQ(move(1, 1), 0u);
}

TEST_F(keeper_of_an_array, moves_large_areas_as_a_whole) {
  const placed_memory large((std::size_t{20} << 20) + base_page_size(),
                            placement::first_touch().with_pages(page_choice::base));
  keeping.watch_users(0, 1);
  keeping.declare(2, {.begin = reinterpret_cast<std::uintptr_t>(large.data()), .length = large.size()}, false);
  const std::vector<sched::area> areas = keeping.watched(0);
  const std::uint32_t its = areas[0].heat > 0 ? 0 : 1;
  EXPECT_EQ(move(its, 1), large.size());
  EXPECT_EQ(kernel.home(large.data() + large.size() - 1), static_cast<int>(far_dram));
  kernel.refusal = EPERM;
  EXPECT_EQ(move(its, 0), 0u);
  EXPECT_GT(keeping.report().failed, 0u);
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

TEST_F(keeper_of_an_array, moves_as_much_of_an_area_as_fits) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  const std::size_t bytes = count / 4 * base_page_size();
  EXPECT_EQ(move(1, 2), bytes);
  EXPECT_EQ(kernel.home(array.data() + bytes), static_cast<int>(hbm));
  EXPECT_EQ(kernel.home(array.data() + 2 * bytes), static_cast<int>(dram));
  kernel.room = 5;
  EXPECT_EQ(move(2, 2), 5 * base_page_size());
  const data_report told = keeping.report();
  EXPECT_EQ(told.moved, bytes + 5 * base_page_size());
  EXPECT_EQ(told.failed, bytes - 5 * base_page_size());
  EXPECT_EQ(told.failed_node, hbm);
  EXPECT_EQ(told.move_error, ENOMEM);
  EXPECT_EQ(move(4, 2), 0u);
  EXPECT_EQ(move(0, 3), 0u);
}

TEST_F(keeper_of_an_array, says_when_moving_is_refused) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  kernel.refusal = EPERM;
  EXPECT_EQ(move(0, 1), 0u);
  EXPECT_EQ(keeping.report().move_error, EPERM);
  EXPECT_EQ(keeping.report().failed, count / 4 * base_page_size());
}

/// Moves of the four areas to the nodes of both squads in turn.
std::vector<sched::area_move> to_both_squads() { return {{0, 1}, {1, 2}, {2, 1}, {3, 2}}; }

TEST_F(keeper_of_an_array, moves_data_to_different_squads_side_by_side) {
  const std::size_t bytes = watch_and_declare().at(0).bytes;
  kernel.movers = 2;  // else this never ends
  std::vector<sched::area_move> moves = to_both_squads();
  keeping.move_areas(0, moves, no_limit);
  for (const sched::area_move& each : moves) {
    EXPECT_TRUE(each.made);
    EXPECT_EQ(each.bytes, bytes);
    const int node = static_cast<int>(keeping.os_nodes()[each.node]);
    EXPECT_EQ(kernel.home(array.data() + each.area * bytes), node);
    EXPECT_EQ(kernel.home(array.data() + (each.area + 1) * bytes - 1), node);
  }
  EXPECT_EQ(keeping.report().moved, 4 * bytes);
}

TEST_F(keeper_of_an_array, makes_the_first_move_of_each_squad_when_there_is_no_time) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  std::vector<sched::area_move> moves = to_both_squads();
  keeping.move_areas(0, moves, 0);
  std::vector<bool> made, moved;
  for (const sched::area_move& each : moves) {
    made.push_back(each.made);
    moved.push_back(each.bytes > 0);
  }
  EXPECT_EQ(made, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(moved, made);
}

TEST_F(keeper_of_an_array, tries_a_full_node_once) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  kernel.room = 0;
  std::vector<sched::area_move> moves = {{0, 2}, {1, 2}, {2, 2}};
  keeping.move_areas(0, moves, no_limit);
  EXPECT_EQ(kernel.moves, 1u);
  for (const sched::area_move& each : moves) EXPECT_EQ(each, (sched::area_move{each.area, 2, true, 0}));
}

TEST_F(keeper_of_an_array, tells_of_moves_on_the_worker_that_asked_in_the_order_of_their_ends) {
  struct : observer {
    std::vector<worker_event> seen;
    std::thread::id on = std::this_thread::get_id();
    void see(const worker_event& what) noexcept override {
      EXPECT_EQ(std::this_thread::get_id(), on);
      seen.push_back(what);
    }
  } watching;
  keeping.show(&watching);
  detail::worker_counts counts;
  keeping.arrive(0, counts);
  const std::size_t bytes = watch_and_declare().at(0).bytes;
  std::vector<sched::area_move> moves = to_both_squads();
  keeping.move_areas(0, moves, no_limit);
  ASSERT_EQ(watching.seen.size(), 4u);
  std::map<std::uint32_t, unsigned> to;
  std::uint64_t last = 0;
  for (const worker_event& each : watching.seen) {
    EXPECT_EQ(each.what, worker_event::kind::move);
    EXPECT_EQ(each.worker, 0u);
    EXPECT_EQ(each.value, static_cast<std::int64_t>(bytes));
    EXPECT_LE(last, each.at);
    last = each.at;
    ++to[each.other];
  }
  EXPECT_EQ(to, (std::map<std::uint32_t, unsigned>{{1, 2}, {2, 2}}));
  EXPECT_EQ(counts.moved_bytes.get(), 4 * bytes);
}

/// A program that makes and ends containers while its data move, some of them watched ones.
TEST_F(keeper_of_an_array, moves_data_while_containers_come_and_go) {
  constexpr std::size_t large = std::size_t{1} << 20;
  const auto make = [&] {
    return std::make_unique<placed_memory>(large, placement::first_touch().with_pages(page_choice::base));
  };
  constexpr unsigned rounds = 20;
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<std::unique_ptr<placed_memory>> watched;
    keeping.watch_users(0, 16);
    for (unsigned i = 0; i < 8; ++i) {
      watched.push_back(make());
      const auto begin = reinterpret_cast<std::uintptr_t>(watched.back()->data());
      keeping.declare(2, {.begin = begin, .length = large, .write = true}, false);
    }
    const std::vector<sched::area> areas = keeping.watched(0);
    std::vector<sched::area_move> moves;
    for (std::uint32_t i = 0; i < areas.size(); ++i) moves.push_back({i, i % 3});
    std::atomic<bool> over{false};
    std::vector<std::thread> others;
    others.emplace_back([&] {
      while (watched.size() > 4) watched.pop_back();
    });
    others.emplace_back([&] {
      do {
        const std::unique_ptr<placed_memory> fresh = make();
        numa::note_placed(fresh->data(), large);
      } while (!over);
    });
    keeping.move_areas(0, moves, no_limit);
    over = true;
    for (std::thread& each : others) each.join();
    for (const sched::area_move& each : moves) {
      EXPECT_TRUE(each.made);
      EXPECT_LE(each.bytes, areas[each.area].bytes);
    }
  }
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
