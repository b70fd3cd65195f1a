// What threads move for a scheduler, on a fake kernel.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "numa/placed_registry.hpp"
#include "runtime/keeper.hpp"

namespace jackdaw::test {
namespace {

class data_of_a_scheduler : public keeper_of_an_array {};

TEST_F(data_of_a_scheduler, leaves_what_the_program_has_placed_where_it_is) {
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

TEST_F(data_of_a_scheduler, moves_nothing_that_lies_where_watched_data_were) {
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

TEST_F(data_of_a_scheduler, leaves_what_has_a_policy_of_its_own_where_it_is) {
  kernel.policies[obedient_kernel::number(array.data() + count / 2 * base_page_size())] = numa::preferring(dram);
  keeping.watch_users(0, 2);
  keeping.declare(2, accesses(0, count), false);
  ASSERT_EQ(keeping.watched(0).size(), 2u);
  EXPECT_EQ(move(0, 1), count / 2 * base_page_size());
  EXPECT_EQ(move(1, 1), 0u);
}

TEST_F(data_of_a_scheduler, moves_what_has_no_policy_though_workers_touch_first_where_the_scheduler_says) {
  keeping.touch_to(0, 2);
  ASSERT_EQ(kernel.current, numa::preferring(hbm));
  keeping.watch_users(0, 1);
  keeping.declare(2, accesses(0, count), false);
  ASSERT_EQ(keeping.watched(0).size(), 1u);
  EXPECT_EQ(move(0, 1), count * base_page_size());
}

TEST_F(data_of_a_scheduler, leaves_all_where_it_is_if_the_user_has_placed_it) {
  kernel.current = {.mode = 3, .mask = {5}};  // numactl --interleave
  threads_data under{nodes(), true, {0}, {{.workers = {0, 1}}, {.workers = {2, 2}}}, kernel, pages};
  under.watch_users(0, 1);
  under.declare(2, accesses(0, count), false);
  ASSERT_EQ(under.watched(0).size(), 1u);
  sched::area_move one{0, 1};
  under.move_areas(0, {&one, 1}, no_limit);
  EXPECT_EQ(one.bytes, 0u);
}

TEST_F(data_of_a_scheduler, moves_large_areas_as_a_whole) {
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

TEST_F(data_of_a_scheduler, moves_as_much_of_an_area_as_fits) {
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

TEST_F(data_of_a_scheduler, says_when_moving_is_refused) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  kernel.refusal = EPERM;
  EXPECT_EQ(move(0, 1), 0u);
  EXPECT_EQ(keeping.report().move_error, EPERM);
  EXPECT_EQ(keeping.report().failed, count / 4 * base_page_size());
}

/// Moves of the four areas to the nodes of both squads in turn.
std::vector<sched::area_move> to_both_squads() { return {{0, 1}, {1, 2}, {2, 1}, {3, 2}}; }

TEST_F(data_of_a_scheduler, moves_data_to_different_squads_side_by_side) {
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

TEST_F(data_of_a_scheduler, makes_the_first_move_of_each_squad_when_there_is_no_time) {
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

TEST_F(data_of_a_scheduler, tries_a_full_node_once) {
  ASSERT_EQ(watch_and_declare().size(), 4u);
  kernel.room = 0;
  std::vector<sched::area_move> moves = {{0, 2}, {1, 2}, {2, 2}};
  keeping.move_areas(0, moves, no_limit);
  EXPECT_EQ(kernel.moves, 1u);
  for (const sched::area_move& each : moves) EXPECT_EQ(each, (sched::area_move{each.area, 2, true, 0}));
}

TEST_F(data_of_a_scheduler, tells_of_moves_on_the_worker_that_asked_in_the_order_of_their_ends) {
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
TEST_F(data_of_a_scheduler, moves_data_while_containers_come_and_go) {
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

}  // namespace
}  // namespace jackdaw::test
