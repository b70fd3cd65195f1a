// Ranges, projections and sentinels in place of pairs of iterators.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/jackdaw.hpp"

namespace {

using jackdaw::grain;

class ranges_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(ranges_test);

struct named {
  std::string name;
  int number;
  std::size_t place = 0;
  int doubled() const { return 2 * number; }
  bool operator==(const named&) const = default;
};

std::vector<named> some_named(std::size_t count) {
  std::vector<named> all;
  jackdaw::testing::numbers random(count);
  for (std::size_t i = 0; i != count; ++i) all.push_back({std::to_string(random() % 100), int(random() % 1000), i});
  return all;
}

TEST_P(ranges_test, sorts_by_members_as_std) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 40, 3000}) {
      const std::vector<named> in = some_named(count);
      std::vector<named> expected = in, all = in;
      std::ranges::sort(expected, {}, [](const named& each) { return std::pair(each.name, each.place); });
      jackdaw::stable_sort(all, {}, &named::name, grain{40});
      EXPECT_EQ(all, expected);
      jackdaw::stable_sort(all.begin(), all.end(), std::ranges::greater{}, &named::doubled);
      std::ranges::sort(expected, {},
                        [](const named& each) { return std::tuple(-each.number, each.name, each.place); });
      EXPECT_EQ(all, expected);
      jackdaw::sort(all, {}, &named::number);
      EXPECT_TRUE(std::ranges::is_sorted(all, {}, &named::number));
      std::vector<int> numbers(count);
      jackdaw::transform(in, numbers.begin(), &named::doubled);
      jackdaw::sort(std::span(numbers), std::ranges::greater{});
      EXPECT_TRUE(std::ranges::is_sorted(numbers, std::ranges::greater{}));
      jackdaw::sort(numbers);
      EXPECT_TRUE(std::ranges::is_sorted(numbers));
      jackdaw::stable_sort(std::views::reverse(numbers), grain{40});
      EXPECT_TRUE(std::ranges::is_sorted(numbers, std::ranges::greater{}));
    }
  });
}

TEST_P(ranges_test, searches_by_members_as_std) {
  run([&] {
    std::vector<named> all = some_named(3000);
    all[2222].number = -1;
    const auto is_low = [](int n) { return n < 3; };
    EXPECT_EQ(jackdaw::find(all, "42", &named::name), std::ranges::find(all, "42", &named::name));
    EXPECT_EQ(jackdaw::find_if(all, is_low, &named::number, grain{9}),
              std::ranges::find_if(all, is_low, &named::number));
    EXPECT_EQ(jackdaw::count(all, "42", &named::name), std::ranges::count(all, "42", &named::name));
    EXPECT_EQ(jackdaw::count_if(all, is_low, &named::doubled), std::ranges::count_if(all, is_low, &named::doubled));
    EXPECT_EQ(jackdaw::min_element(all, {}, &named::number), all.begin() + 2222);
    EXPECT_EQ(jackdaw::max_element(all, std::ranges::greater{}, &named::number), all.begin() + 2222);
    const auto [least, greatest] = jackdaw::minmax_element(all, {}, &named::name);
    const auto expected = std::ranges::minmax_element(all, {}, &named::name);
    EXPECT_EQ(least, expected.min);
    EXPECT_EQ(greatest, expected.max);
    EXPECT_TRUE(jackdaw::any_of(all, is_low, &named::number));
    EXPECT_FALSE(jackdaw::all_of(all, is_low, &named::number));
    EXPECT_FALSE(jackdaw::none_of(all, is_low, &named::number));
  });
}

TEST_P(ranges_test, moves_and_copies_by_members_as_std) {
  run([&] {
    const std::vector<named> all = some_named(3000);
    const auto is_low = [](int n) { return n < 500; };
    std::vector<named> expected, out(all.size());
    std::ranges::copy_if(all, std::back_inserter(expected), is_low, &named::number);
    out.erase(jackdaw::copy_if(all, out.begin(), is_low, &named::number), out.end());
    EXPECT_EQ(out, expected);
    EXPECT_EQ(jackdaw::filter(all, is_low, &named::number, grain{7}), expected);
    EXPECT_EQ(jackdaw::filter(all, is_low, &named::number, grain{3000}), expected);
    std::vector<bool> flags(all.size());
    for (std::size_t i = 0; i != all.size(); ++i) flags[i] = is_low(all[i].number);
    out.assign(all.size(), {});
    out.erase(jackdaw::pack(all, flags, out.begin(), grain{7}), out.end());
    EXPECT_EQ(out, expected) << "flags are only read, so a std::vector<bool> has them";
    std::vector<named> mixed = all;
    const auto middle = jackdaw::partition(mixed, is_low, &named::number, grain{100});
    EXPECT_EQ(std::size_t(middle - mixed.begin()), expected.size());
    EXPECT_TRUE(std::ranges::is_partitioned(mixed, is_low, &named::number));
    jackdaw::nth_element(mixed, mixed.begin() + 1500, {}, &named::number);
    std::vector<named> sorted = all;
    std::ranges::sort(sorted, {}, &named::number);
    EXPECT_EQ(mixed[1500].number, sorted[1500].number);
    std::vector<int> sums(all.size());
    jackdaw::transform(all, sorted, sums.begin(), std::plus<>{}, &named::number, &named::doubled);
    EXPECT_EQ(sums[77], all[77].number + 2 * sorted[77].number);
    const std::array<int, 5> few = {1, 2, 3, 4, 5};
    EXPECT_EQ(jackdaw::transform(all, few, sums.begin(), std::plus<>{}, &named::number) - sums.begin(), 5)
        << "as many as the shorter one has";
  });
}

TEST_P(ranges_test, visits_views_and_members) {
  run([&] {
    std::vector<named> all = some_named(1000);
    jackdaw::for_each(all, [](int& n) { n = 7; }, &named::number);
    EXPECT_EQ(jackdaw::count(all, 7, &named::number), 1000);
    jackdaw::for_each(all | std::views::take(10) | std::views::reverse, [](named& each) { each.number = 8; });
    EXPECT_EQ(std::ranges::count(all, 8, &named::number), 10);
    jackdaw::for_each(all | std::views::filter([](const named& each) { return each.number == 8; }),
                      [](named& each) { each.name = "eight"; });
    EXPECT_EQ(std::ranges::count(all, "eight", &named::name), 10) << "a forward range";
    EXPECT_EQ(jackdaw::for_each_n(all.begin() + 5, 20, [](int& n) { n = 9; }, &named::number), all.begin() + 25);
    EXPECT_EQ(std::ranges::count(all, 9, &named::number), 20);
    EXPECT_EQ(jackdaw::for_each_n(all.begin(), -1, [](named&) { ADD_FAILURE(); }), all.begin());
    std::atomic<std::int64_t> sum = 0;
    jackdaw::for_each(std::views::iota(1, 101) | std::views::transform(std::negate<>{}), [&](int n) { sum += n; });
    EXPECT_EQ(sum, -5050) << "elements that are values";
  });
}

TEST_P(ranges_test, reduces_and_scans_ranges) {
  run([&] {
    std::vector<int> xs(1000), ys(1000), out(1000), expected(1000);
    std::iota(xs.begin(), xs.end(), 1);
    std::iota(ys.begin(), ys.end(), -7);
    EXPECT_EQ(jackdaw::reduce(xs, 5L, grain{9}), 500505);
    EXPECT_EQ(jackdaw::reduce(std::views::iota(0, 10), 0, std::plus<>{}), 45);
    EXPECT_EQ(jackdaw::transform_reduce(xs, ys, 0L), std::inner_product(xs.begin(), xs.end(), ys.begin(), 0L));
    EXPECT_EQ(jackdaw::transform_reduce(xs, 0L, std::plus<>{}, std::negate<>{}, grain{9}), -500500);
    EXPECT_EQ(jackdaw::transform_reduce(xs, ys, 0L, std::plus<>{}, std::minus<>{}), 8 * 1000);
    std::inclusive_scan(xs.begin(), xs.end(), expected.begin(), std::plus<>{}, 3);
    EXPECT_EQ(jackdaw::inclusive_scan(xs, out.begin(), std::plus<>{}, 3, grain{9}), out.end());
    EXPECT_EQ(out, expected);
    std::exclusive_scan(xs.begin(), xs.end(), expected.begin(), 3);
    jackdaw::exclusive_scan(xs, out.begin(), 3);
    EXPECT_EQ(out, expected);
  });
}

/// An iterator that counts, and a sentinel.
template <class T>
auto counted(std::vector<T>& all) {
  return std::counted_iterator(all.begin(), std::ptrdiff_t(all.size()));
}

TEST_P(ranges_test, takes_sentinels) {
  run([&] {
    std::vector<int> all(1000), out(1000);
    std::iota(all.begin(), all.end(), 0);
    const auto end = std::default_sentinel;
    std::atomic<int> sum = 0;
    jackdaw::for_each(counted(all), end, [&](int x) { sum += x; });
    EXPECT_EQ(sum, 499500);
    EXPECT_EQ(jackdaw::reduce(counted(all), end, 0), 499500);
    const auto is_even = [](int x) { return x % 2 == 0; };
    EXPECT_EQ(jackdaw::copy_if(counted(all), end, out.begin(), is_even) - out.begin(), 500);
    EXPECT_EQ(jackdaw::transform(counted(all), end, out.begin(), std::negate<>{}) - out.begin(), 1000);
    EXPECT_EQ(jackdaw::find(counted(all), end, 700).base() - all.begin(), 700);
    EXPECT_EQ(jackdaw::find(counted(all), end, -700), end);
    EXPECT_EQ(*jackdaw::max_element(counted(all), end), 999);
    EXPECT_EQ(jackdaw::count_if(counted(all), end, is_even), 500);
    EXPECT_EQ(jackdaw::inclusive_scan(counted(all), end, out.begin()), out.end());
    EXPECT_EQ(jackdaw::unique(counted(all), end).base(), all.end());
    jackdaw::sort(counted(all), end, std::greater<>{});
    EXPECT_TRUE(std::ranges::is_sorted(all, std::greater<>{}));
    jackdaw::fill(counted(all), end, 3);
    EXPECT_EQ(std::ranges::count(all, 3), 1000);
  });
}

TEST(ranges, what_would_dangle_is_not_returned) {
  using std::ranges::dangling;
  const auto pred = [](int) { return false; };
  using numbers = std::vector<int>;
  static_assert(std::is_same_v<decltype(jackdaw::find(numbers(), 1)), dangling>);
  static_assert(std::is_same_v<decltype(jackdaw::find_if(numbers(), pred)), dangling>);
  static_assert(std::is_same_v<decltype(jackdaw::max_element(numbers())), dangling>);
  static_assert(std::is_same_v<decltype(jackdaw::minmax_element(numbers()).min), dangling>);
  static_assert(std::is_same_v<decltype(jackdaw::partition(numbers(), pred)), dangling>);
  static_assert(std::is_same_v<decltype(jackdaw::unique(numbers())), dangling>);
  numbers all(10);
  EXPECT_EQ(jackdaw::find(std::span(all), 1), std::span(all).end()) << "a span refers to what lives on";
  jackdaw::find(numbers(10), 1);
}

}  // namespace
