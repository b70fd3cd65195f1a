#include "jackdaw/memory/placed_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <list>
#include <map>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "jackdaw/memory.hpp"
#include "jackdaw/runtime.hpp"

namespace jackdaw {
namespace {

TEST(placed_resource, small_pieces_share_slabs) {
  placed_resource memory(placement::interleave());
  std::vector<void*> all;
  for (int i = 0; i < 1000; ++i) all.push_back(memory.allocate(24, 8));
  EXPECT_EQ(memory.in_use(), 24000u);
  EXPECT_LE(memory.taken(), 2 * placed_resource::slab);
  for (void* const each : all) memory.deallocate(each, 24, 8);
  EXPECT_EQ(memory.in_use(), 0u);
  const std::size_t before = memory.taken();
  for (void*& each : all) each = memory.allocate(24, 8);
  EXPECT_EQ(memory.taken(), before) << "memory is used again";
  for (void* const each : all) memory.deallocate(each, 24, 8);
}

TEST(placed_resource, large_pieces_have_their_own_pages_and_go_back) {
  placed_resource memory(placement::interleave());
  const std::size_t bytes = placed_resource::large + 1;
  void* const at = memory.allocate(bytes, 64);
  EXPECT_EQ(memory.in_use(), bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % base_page_size(), 0u);
  EXPECT_LT(memory.taken(), bytes + base_page_size());
  memory.deallocate(at, bytes, 64);
  EXPECT_EQ(memory.taken(), 0u);
}

TEST(placed_resource, aligns_as_asked) {
  placed_resource memory(placement::interleave());
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{4096}, std::size_t{1} << 21}) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{100000}}) {
      void* const at = memory.allocate(bytes, alignment);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0u) << bytes << " B";
      *static_cast<char*>(at) = 1;
      memory.deallocate(at, bytes, alignment);
    }
  }
  EXPECT_EQ(memory.in_use(), 0u);
}

TEST(placed_resource, touches_large_pieces_at_once_under_first_touch) {
  runtime rt({.workers = 3, .pin = false});
  rt.run([] {
    placed_resource memory;
    void* const at = memory.allocate(1 << 20, 8);
    EXPECT_EQ(where(at, 1 << 20).untouched, 0u);
    memory.deallocate(at, 1 << 20, 8);
  });
}

TEST(placed_resource, serves_pmr_containers) {
  placed_resource memory(placement::interleave());
  {
    std::pmr::unordered_map<int, std::pmr::string> names(&memory);
    for (int i = 0; i < 5000; ++i) names[i] = "a name that does not fit into the string itself";
    EXPECT_EQ(names.size(), 5000u);
    EXPECT_GT(memory.in_use(), 5000u * 48);
  }
  EXPECT_EQ(memory.in_use(), 0u);
}

TEST(placed_resource, serves_many_threads) {
  placed_resource memory(placement::interleave());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&memory, t] {
      std::pmr::list<int> mine(&memory);
      for (int i = 0; i < 2000; ++i) mine.push_back(t);
      std::pmr::vector<int> large(&memory);
      large.resize(50000, t);
      for (const int each : mine) ASSERT_EQ(each, t);
      ASSERT_EQ(large.back(), t);
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(memory.in_use(), 0u);
}

TEST(placed_allocator, serves_standard_containers) {
  const placed_allocator<int> allocator(placement::interleave());
  std::vector<int, placed_allocator<int>> numbers(100000, 3, allocator);
  std::map<int, int, std::less<>, placed_allocator<std::pair<const int, int>>> map(
      (placed_allocator<std::pair<const int, int>>(allocator)));
  for (int i = 0; i < 1000; ++i) map[i] = numbers[static_cast<std::size_t>(i)];
  EXPECT_EQ(map.size(), 1000u);
  EXPECT_TRUE(map.get_allocator() == numbers.get_allocator());
  EXPECT_GE(allocator.resource()->in_use(), 100000 * sizeof(int));
  auto copy = numbers;
  copy.push_back(4);
  EXPECT_TRUE(copy.get_allocator() == allocator);
  EXPECT_FALSE(placed_allocator<int>(placement::interleave()) == allocator);
}

TEST(placed_allocator, outlives_its_maker) {
  std::vector<double, placed_allocator<double>> numbers{placed_allocator<double>(placement::interleave())};
  {
    std::vector<double, placed_allocator<double>> first(
        100000, 1.0, placed_allocator<double>(placement::interleave().with_pages(page_choice::base)));
    numbers = std::move(first);
  }
  EXPECT_EQ(numbers[99999], 1.0);
}

TEST(placed_allocator, reports_too_large_requests) {
  placed_allocator<double> allocator(placement::interleave());
  EXPECT_THROW(static_cast<void>(allocator.allocate(SIZE_MAX / 8)), std::bad_array_new_length);
}

}  // namespace
}  // namespace jackdaw
