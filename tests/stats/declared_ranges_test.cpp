#include "runtime/declared_ranges.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

namespace jackdaw::detail {
namespace {

std::uint64_t sum_of(const std::vector<range_use>& uses, std::uint64_t range_use::* member) {
  std::uint64_t sum = 0;
  for (const range_use& each : uses) sum += each.*member;
  return sum;
}

TEST(declared_ranges, counts_what_is_declared_again) {
  const std::vector<double> data(1000, 1.0);
  const auto at = reinterpret_cast<std::uintptr_t>(data.data());
  declared_ranges all(numa::linux_kernel());
  all.add({.begin = at, .length = 800, .site = 7}, 1);
  all.add({.begin = at, .length = 800, .write = true, .site = 8}, 2);
  all.add({.begin = at, .length = 800, .write = true}, 3);
  all.add({.begin = at, .length = 8, .rows = 10, .stride = 800}, 4);
  const auto uses = all.all();
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(sum_of(uses, &range_use::read), 880U);
  EXPECT_EQ(sum_of(uses, &range_use::written), 1600U);
  const range_use& first = uses[0].written != 0 ? uses[0] : uses[1];
  EXPECT_EQ(first.first_write, 2U);
  EXPECT_EQ(first.site, 7U);
  EXPECT_EQ(first.fresh, 0U);
  std::uint64_t on = 0;
  for (const range_use& each : uses) {
    for (const auto& [node, bytes] : each.on) on += bytes;
  }
  EXPECT_EQ(on, 2480U);
}

TEST(declared_ranges, are_widened_if_there_are_too_many) {
  declared_ranges few(numa::linux_kernel(), 16);
  constexpr std::uintptr_t begin = std::uintptr_t{1} << 46;  // no memory is there
  for (std::uintptr_t i = 0; i < 10'000; ++i) {
    few.add({.begin = begin + 1000 * i, .length = 1000, .write = i % 2 == 0}, i + 1);
  }
  const auto uses = few.all();
  EXPECT_LE(uses.size(), 16U);
  EXPECT_EQ(sum_of(uses, &range_use::read), 5'000'000U);
  EXPECT_EQ(sum_of(uses, &range_use::written), 5'000'000U);
  std::uintptr_t least = ~std::uintptr_t{0}, most = 0;
  for (const range_use& each : uses) {
    least = std::min(least, each.begin);
    most = std::max(most, each.end);
    EXPECT_EQ(each.fresh, each.end - each.begin);
  }
  EXPECT_EQ(least, begin);
  EXPECT_EQ(most, begin + 10'000'000);
}

}  // namespace
}  // namespace jackdaw::detail
