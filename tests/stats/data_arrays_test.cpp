#include "runtime/data_arrays.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jackdaw::detail {
namespace {

using bounds = std::pair<std::uintptr_t, std::uintptr_t>;

std::vector<range_use> used(const std::vector<bounds>& ranges) {
  std::vector<range_use> uses;
  for (const auto& [begin, end] : ranges) uses.push_back({.begin = begin, .end = end, .site = begin});
  return uses;
}
std::vector<bounds> found(const std::vector<data_array>& arrays) {
  std::vector<bounds> all;
  for (const data_array& each : arrays) all.emplace_back(each.begin, each.end);
  return all;
}

TEST(data_arrays, ranges_that_touch_are_one_array) {
  EXPECT_EQ(found(find_arrays(used({{200, 300}, {100, 200}, {150, 250}, {316, 400}}), {}, {})),
            (std::vector<bounds>{{100, 300}, {316, 400}}));
  EXPECT_TRUE(find_arrays({}, {}, {}).empty());
}

TEST(data_arrays, rows_without_their_margin_are_one_array) {
  std::vector<bounds> rows;
  for (std::uintptr_t i = 0; i < 10; ++i) rows.emplace_back(1000 * i + 8, 1000 * i + 992);
  EXPECT_EQ(found(find_arrays(used(rows), {}, {})), (std::vector<bounds>{{8, 9992}}));
  rows.resize(3);  // three arrays may lie so by chance
  EXPECT_EQ(found(find_arrays(used(rows), {}, {})).size(), 3U);
}

TEST(data_arrays, names_and_containers_come_first) {
  const std::vector<numa::named_range> named{{1000, 2000, "grid"}}, placed{{1000, 2048, {}}, {5000, 6000, {}}};
  const auto arrays = find_arrays(used({{900, 1100}, {1500, 1600}, {5100, 5200}, {7000, 7100}}), named, placed);
  ASSERT_EQ(arrays.size(), 3U);
  EXPECT_EQ(arrays[0].name, "grid");
  EXPECT_EQ(arrays[0].from, data_array::source::placed);
  EXPECT_EQ(arrays[0].site, 900U);
  EXPECT_EQ(arrays[1].from, data_array::source::placed);
  EXPECT_EQ(arrays[1].name, "");
  EXPECT_EQ(arrays[2].from, data_array::source::declared);
}

TEST(data_arrays, there_are_not_too_many_of_them) {
  std::vector<bounds> scattered;
  for (std::uintptr_t i = 1; i <= 1000; ++i) scattered.emplace_back(i * i * 1000, i * i * 1000 + 100);
  const auto arrays = find_arrays(used(scattered), {{1'000'000, 1'000'100, "tenth"}}, {}, 10);
  EXPECT_LE(arrays.size(), 12U);  // a named one may lie within another, which is then two
  std::uintptr_t end = 0;
  for (const data_array& each : arrays) {
    EXPECT_GE(each.begin, end);
    EXPECT_GT(each.end, each.begin);
    end = each.end;
  }
}

TEST(data_arrays, a_hundred_thousand_names_and_uses) {
  constexpr std::uintptr_t many = 100'000;
  std::vector<numa::named_range> named, placed;
  std::vector<bounds> ranges;
  for (std::uintptr_t i = 0; i < many; ++i) {
    named.push_back({2000 * i + 1000, 2000 * i + 2000, std::to_string(i)});
    if (i % 2 == 0) placed.push_back({2000 * i + 1000, 2000 * i + 1500, {}});
    ranges.emplace_back(2000 * i + 1100, 2000 * i + 1200);
  }
  for (std::uintptr_t i = 1; i <= 1000; ++i) ranges.emplace_back(2000 * (many + i * i), 2000 * (many + i * i) + 100);
  const auto arrays = find_arrays(used(ranges), named, placed);
  ASSERT_GT(arrays.size(), many);
  for (std::uintptr_t i = 0; i < many; ++i) {
    ASSERT_EQ(arrays[i].name, std::to_string(i));
    ASSERT_EQ(arrays[i].site, 2000 * i + 1100);
    ASSERT_EQ(arrays[i].from, i % 2 == 0 ? data_array::source::placed : data_array::source::declared);
  }
}

}  // namespace
}  // namespace jackdaw::detail
