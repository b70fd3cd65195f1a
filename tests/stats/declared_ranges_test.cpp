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

TEST(declared_ranges, are_of_the_name_that_the_memory_had) {
  constexpr std::uintptr_t begin = std::uintptr_t{1} << 45;  // no memory is there
  declared_ranges all(numa::linux_kernel());
  const auto declare = [&](std::uint64_t now) { all.add({.begin = begin + 100, .length = 100}, now); };
  declare(1);  // a name that is given late counts for what was declared before
  const numa::naming first = numa::name_range(begin, begin + 1000, "first");
  declare(2);
  const numa::naming second = numa::name_range(begin, begin + 500, "second");
  declare(3);
  numa::name_range(begin + 10'000, begin + 10'100, "elsewhere");  // changes nothing here
  declare(4);
  numa::end_name(first);  // has ended before
  declare(5);
  numa::end_name(second);
  for (std::uint64_t now = 6; now < 10; ++now) declare(now);
  const auto uses = all.all();
  ASSERT_EQ(uses.size(), 3U);
  EXPECT_EQ(uses[0].ended, nullptr);
  EXPECT_EQ(uses[0].read, 400U);
  EXPECT_EQ(uses[1].ended, second);
  EXPECT_EQ(uses[1].read, 300U);
  EXPECT_EQ(uses[2].ended, first);
  EXPECT_EQ(uses[2].read, 200U);
}

TEST(declared_ranges, of_many_names_that_have_ended_are_bounded) {
  declared_ranges few(numa::linux_kernel(), 16);
  constexpr std::uintptr_t begin = std::uintptr_t{1} << 45;
  for (std::uintptr_t i = 0; i < 1000; ++i) {
    // At another place each time, with the same text and size.
    const std::uintptr_t at = begin + i * 7000;
    const numa::naming name = numa::name_range(at, at + 5000, "temporary");
    for (std::uintptr_t part = 0; part < 50; ++part) few.add({.begin = at + part * 100, .length = 100}, i + 1);
    numa::end_name(name);
  }
  const auto uses = few.all();
  EXPECT_LE(uses.size(), 40U);
  EXPECT_EQ(sum_of(uses, &range_use::read), 5'000'000U);
  for (const range_use& each : uses) {
    if (each.ended == nullptr) continue;
    EXPECT_GE(each.begin, each.ended->begin);
    EXPECT_LE(each.end, each.ended->end);
  }
}

}  // namespace
}  // namespace jackdaw::detail
