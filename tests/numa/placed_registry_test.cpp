// What this process's placed containers hold, and which of it may be moved.
#include "numa/placed_registry.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace jackdaw::numa
