// What this process's placed containers hold, and which of it may be moved.
#include "numa/placed_registry.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "jackdaw/memory/migration.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "memory/numa_nodes.hpp"
#include "support/in_child.hpp"

namespace jackdaw::numa {
namespace {

/// Returns the range that `at` is in.
held_range found(const std::byte* at) {
  for (const held_range& each : all_held().ranges) {
    if (each.data <= at && at < each.data + each.bytes) return each;
  }
  return {};
}

bool may_move(const std::byte* first, std::size_t bytes, std::uint64_t number, movable which = movable::not_placed) {
  return lock_pages(first, bytes, number, which).owns_lock();
}

constexpr std::size_t bytes = 1 << 16;

TEST(placed_registry, knows_which_pages_the_program_has_placed) {
  const placed_memory free(bytes), placed(bytes, placement::interleave());
  EXPECT_FALSE(found(free.data()).placed);
  EXPECT_TRUE(found(placed.data()).placed);
  placed_resource first_touch, interleaved(placement::interleave());
  for (placed_resource* const each : {&first_touch, &interleaved}) {
    void* const at = each->allocate(2 * bytes, 64);
    EXPECT_EQ(found(static_cast<std::byte*>(at)).placed, each == &interleaved);
    each->deallocate(at, 2 * bytes, 64);
  }
  const std::uint64_t of_free = found(free.data()).number, of_placed = found(placed.data()).number;
  EXPECT_TRUE(may_move(free.data(), bytes, of_free));
  EXPECT_FALSE(may_move(placed.data(), bytes, of_placed));
  EXPECT_TRUE(may_move(placed.data(), bytes, of_placed, movable::all));
}

TEST(placed_registry, counts_what_the_program_migrates_as_placed) {
  const placed_memory moved(bytes), other(bytes);
  const unsigned node = test::usable_nodes().front().os;
  migrate(moved.data() + bytes / 2, 1, node);
  EXPECT_TRUE(found(moved.data()).placed);
  EXPECT_FALSE(found(other.data()).placed);
  EXPECT_FALSE(all_held().placed_elsewhere);
}

TEST(placed_registry, lets_other_data_stay_once_the_program_has_migrated_some) {
  std::vector<std::byte> own(4 * bytes);
  EXPECT_TRUE(may_move(own.data(), own.size(), 0));
  const auto how = test::in_child([&] {
    migrate(own.data(), own.size(), test::usable_nodes().front().os);
    const bool stays = !may_move(own.data(), own.size(), 0);
    return stays && may_move(own.data(), own.size(), 0, movable::all) && all_held().placed_elsewhere ? 0 : 1;
  });
  EXPECT_EQ(how.status, 0) << how.said;
}

TEST(placed_registry, tells_ranges_from_later_ones_at_the_same_place) {
  alignas(64) static std::byte room[64];
  const auto make = [] {
    hold({room + 16, 32, 16});
    return found(room + 16).number;
  };
  const std::uint64_t number = make();
  EXPECT_TRUE(may_move(room + 16, 32, number));
  EXPECT_TRUE(may_move(room + 32, 16, number));
  EXPECT_FALSE(may_move(room, 32, number)) << "a part lies before it";
  EXPECT_FALSE(may_move(room + 32, 32, number)) << "a part lies behind it";
  EXPECT_FALSE(may_move(room, 64, 0));
  EXPECT_TRUE(may_move(room, 16, 0));
  let_go(room + 16);
  EXPECT_FALSE(may_move(room + 16, 32, number)) << "it has ended";
  const std::uint64_t next = make();
  EXPECT_FALSE(may_move(room + 16, 32, number)) << "another one lies there";
  EXPECT_TRUE(may_move(room + 16, 32, next));
  let_go(room + 16);
}

TEST(placed_registry, lets_movers_go_side_by_side_but_nobody_else) {
  const placed_memory one(bytes), other(bytes);
  const std::uint64_t first = found(one.data()).number, second = found(other.data()).number;
  std::atomic<bool> made{false};
  std::thread maker;
  {
    const auto moving = lock_pages(one.data(), bytes, first, movable::all);
    const auto beside = lock_pages(other.data(), bytes, second, movable::all);
    ASSERT_TRUE(moving.owns_lock() && beside.owns_lock());
    maker = std::thread([&] {
      const placed_memory third(bytes);
      made = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(made);
  }
  maker.join();
}

/// Without an end of their own: who makes a container waits for steps of moves, not for all of them.
TEST(placed_registry, makes_containers_and_forks_while_movers_never_rest) {
  const placed_memory moved(bytes);
  const std::uint64_t number = found(moved.data()).number;
  std::atomic<bool> over{false};
  std::vector<std::thread> movers;
  std::atomic<unsigned> under_way{0};
  for (unsigned i = 0; i < 3; ++i) {
    movers.emplace_back([&] {
      while (!over) {
        const auto step = lock_pages(moved.data(), bytes, number, movable::all);
        ++under_way;
        // The next one begins before this one ends, while it can.
        const auto begun = std::chrono::steady_clock::now();
        while (!over && std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(1)) {
          std::this_thread::yield();
        }
      }
    });
  }
  while (under_way < 3) std::this_thread::yield();
  for (unsigned i = 0; i < 10; ++i) {
    const placed_memory made(bytes);
    const auto how = test::in_child([&] {
      static std::byte room[32];
      hold({room, sizeof room, 16});  // as a container does, which may need threads
      const bool works = may_move(moved.data(), bytes, number);
      let_go(room);
      return works ? 0 : 1;
    });
    EXPECT_EQ(how.status, 0) << how.said;
  }
  over = true;
  for (std::thread& each : movers) each.join();
}

}  // namespace
}  // namespace jackdaw::numa
