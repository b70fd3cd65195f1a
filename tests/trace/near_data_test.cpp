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

access read_of(void* data, std::size_t length, std::size_t stride = 0, std::uint32_t rows = 1) {
  return {.address = reinterpret_cast<std::uintptr_t>(data),
          .length = length,
          .stride = stride,
          .rows = rows,
          .write = false};
}

TEST(near_data, does_not_read_what_was_unmapped_since) {
  near_data near;
  void* const first = mmap(nullptr, large_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(first, MAP_FAILED);
  near.add(read_of(first, large_bytes / 2));
  munmap(first, large_bytes);
  const std::vector<std::byte> many(large_bytes);
  near.add(all_of(many));
  EXPECT_EQ(near.stall(), 0);
}

TEST(near_data, leaves_pages_between_rows_alone) {
  constexpr std::size_t page = 4096, rows = 4096;
  auto* const data = static_cast<std::byte*>(
      mmap(nullptr, 2 * rows * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(data, MAP_FAILED);
  for (std::size_t row = 0; row < rows; ++row) mprotect(data + (2 * row + 1) * page, page, PROT_NONE);
  near_data near;
  near.add(read_of(data, page, 2 * page, rows));
  EXPECT_GE(near.stall(), 0);
  munmap(data, 2 * rows * page);
}

// Reading all of it at each of these would take hours.
TEST(near_data, many_declarations_take_no_quadratic_time) {
  std::vector<std::byte> many(large_bytes);
  near_data near;
  constexpr std::size_t row = 1 << 10;
  for (std::size_t at = 0; at < large_bytes; at += row) near.add(read_of(many.data() + at, row));
  EXPECT_GT(near.stall(), 0);
}

}  // namespace
}  // namespace jackdaw::trace
