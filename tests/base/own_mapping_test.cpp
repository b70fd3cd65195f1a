#include "base/own_mapping.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "base/own_memory.hpp"

namespace jackdaw::detail {
namespace {

/// Whether all of it is listed as the runtime's.
bool is_own(const void* begin, std::size_t bytes) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  const std::vector<own_range> all = own_ranges();
  return std::any_of(all.begin(), all.end(),
                     [&](const own_range& each) { return each.begin <= from && from + bytes <= each.end; });
}

TEST(own_mapping, is_listed_as_long_as_it_lives) {
  constexpr std::size_t bytes = 1 << 16;
  const void* at = nullptr;
  {
    own_mapping first, second, third;
    for (own_mapping* each : {&first, &second, &third}) ASSERT_TRUE(each->map(bytes, PROT_READ | PROT_WRITE));
    for (const own_mapping* each : {&first, &second, &third}) EXPECT_TRUE(is_own(each->data(), bytes));
    at = std::as_const(second).data();
    EXPECT_TRUE(second.unmap());
    EXPECT_FALSE(is_own(at, bytes));
    EXPECT_EQ(second.data(), nullptr);
    EXPECT_TRUE(second.unmap());  // there is none any more
    EXPECT_TRUE(is_own(first.data(), bytes));
    EXPECT_TRUE(is_own(third.data(), bytes));
    at = first.data();
    ASSERT_TRUE(third.map(2 * bytes, PROT_NONE));  // in place of the earlier one
    EXPECT_TRUE(is_own(third.data(), 2 * bytes));
  }
  EXPECT_FALSE(is_own(at, bytes));
}

TEST(own_mapping, without_memory_there_is_none) {
  own_mapping none;
  EXPECT_FALSE(none.map(std::numeric_limits<std::size_t>::max() / 2, PROT_READ));
  EXPECT_EQ(none.data(), nullptr);
  own_memory memory;
  EXPECT_THROW(static_cast<void>(memory.allocate(std::numeric_limits<std::size_t>::max() / 4)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(memory.allocate(std::numeric_limits<std::size_t>::max())), std::bad_alloc);
}

TEST(own_mapping, the_list_is_in_order_while_threads_map) {
  std::vector<std::thread> mappers;
  for (int i = 0; i < 4; ++i) {
    mappers.emplace_back([] {
      for (int round = 0; round < 500; ++round) {
        own_mapping one;
        if (!one.map(4096, PROT_READ)) break;
      }
    });
  }
  for (int round = 0; round < 500; ++round) {
    const std::vector<own_range> all = own_ranges();
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].begin, all[i].begin);
  }
  for (std::thread& each : mappers) each.join();
}

TEST(own_memory, is_aligned_and_listed) {
  own_pool pool;
  for (const std::size_t alignment : {1, 16, 64, 256, 4096}) {
    for (const std::size_t bytes : {1, 100, 5000, 1 << 20}) {
      void* const made = pool.get()->allocate(bytes, alignment);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made) % alignment, 0U);
      EXPECT_TRUE(is_own(made, bytes));
      std::fill_n(static_cast<char*>(made), bytes, 'x');
      pool.get()->deallocate(made, bytes, alignment);
    }
  }
  std::pmr::vector<int> grows(pool.get());
  for (int i = 0; i < 100'000; ++i) grows.push_back(i);
  EXPECT_TRUE(is_own(grows.data(), grows.size() * sizeof(int)));
  EXPECT_EQ(grows[77'777], 77'777);
}

}  // namespace
}  // namespace jackdaw::detail
