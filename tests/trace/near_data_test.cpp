#include "trace/near_data.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::trace {
namespace {

constexpr std::size_t large_bytes = std::size_t{128} << 20;

access all_of(const std::vector<std::byte>& data) {
  return {.address = reinterpret_cast<std::uintptr_t>(data.data()),
          .length = data.size(),
          .stride = 0,
          .rows = 1,
          .write = true};
}

TEST(near_data, waits_only_for_what_does_not_fit) {
  const std::vector<std::byte> few(1 << 16), many(large_bytes);
  near_data near;
  near.add(all_of(few));
  EXPECT_EQ(near.stall(), 0);
  near.add(all_of(many));
  EXPECT_GT(near.stall(), 0);
  near.clear();
  EXPECT_EQ(near.stall(), 0);
}

TEST(near_data, what_is_declared_twice_is_waited_for_once) {
  const std::vector<std::byte> many(large_bytes);
  near_data once, often;
  once.add(all_of(many));
  for (int i = 0; i < 8; ++i) often.add(all_of(many));
  EXPECT_LT(often.stall(), 4 * once.stall());
}

// A program may declare what it never touches, and more than the computer has.
TEST(near_data, never_faults) {
  void* const nothing = mmap(nullptr, large_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(nothing, MAP_FAILED);
  near_data near;
  near.add({.address = reinterpret_cast<std::uintptr_t>(nothing),
            .length = large_bytes,
            .stride = 0,
            .rows = 1,
            .write = false});
  EXPECT_EQ(near.stall(), 0);
  near.clear();
  munmap(nothing, large_bytes);
  near.add({.address = 64, .length = 1 << 12, .stride = large_bytes, .rows = 1024, .write = true});
  EXPECT_EQ(near.stall(), 0);
}

}  // namespace
}  // namespace jackdaw::trace
