#include "jackdaw/algorithm/transform.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/adjacent_difference.hpp"
#include "jackdaw/algorithm/fill.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class transform_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(transform_test);

const std::vector<std::size_t> sizes_of_transform = {0, 1, 2, 3, 8, 257, 1000, 20000};
const std::vector<std::size_t> grains_of_transform = {0, 1, 2, 63, 1000, std::numeric_limits<std::size_t>::max()};

std::vector<std::uint64_t> random_input(std::size_t count) {
  std::vector<std::uint64_t> in(count);
  jackdaw::testing::numbers random(count);
  for (auto& x : in) x = random();
  return in;
}

TEST_P(transform_test, one_range_and_two_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_transform) {
      const std::vector<std::uint64_t> in = random_input(count), other = random_input(count + 3);
      std::vector<std::uint64_t> squares(count), sums(count);
      const auto square = [](std::uint64_t x) { return x * x; };
      std::transform(in.begin(), in.end(), squares.begin(), square);
      std::transform(in.begin(), in.end(), other.begin(), sums.begin(), std::minus<>{});
      for (const std::size_t size : grains_of_transform) {
        std::vector<std::uint64_t> out(count);
        EXPECT_EQ(jackdaw::transform(in.begin(), in.end(), out.begin(), square, grain{size}), out.end());
        EXPECT_EQ(out, squares) << count << ", grain " << size;
        EXPECT_EQ(jackdaw::transform(in.begin(), in.end(), other.begin(), out.begin(), std::minus<>{}, grain{size}),
                  out.end());
        EXPECT_EQ(out, sums) << count << ", grain " << size;
        std::vector<std::uint64_t> same = in;
        jackdaw::transform(same.begin(), same.end(), same.begin(), square, grain{size});
        EXPECT_EQ(same, squares) << "in place";
      }
    }
  });
}

TEST_P(transform_test, writes_what_can_only_be_moved) {
  run([&] {
    std::deque<std::string> in;
    for (int i = 0; i != 1500; ++i) in.push_back(std::to_string(i));
    std::vector<std::unique_ptr<std::string>> out(in.size());
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    jackdaw::transform(
        in.begin(), in.end(), out.begin(), [](const std::string& s) { return std::make_unique<std::string>(s); },
        work_of{weigh}, grain{7});
    for (std::size_t i = 0; i != in.size(); ++i) ASSERT_EQ(*out[i], in[i]);
  });
}

TEST_P(transform_test, fills_and_generates) {
  run([&] {
    for (const std::size_t count : sizes_of_transform) {
      for (const std::size_t size : grains_of_transform) {
        std::vector<std::string> words(count, "old");
        jackdaw::fill(words.begin(), words.end(), "new", grain{size});
        EXPECT_EQ(words, std::vector<std::string>(count, "new"));
        std::vector<char> bytes(count + 2, 'a');
        jackdaw::fill(bytes.begin() + 1, bytes.end() - 1, 'b', grain{size});
        EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 'b'), std::ptrdiff_t(count));
        EXPECT_EQ(bytes.front() + bytes.back(), 2 * 'a') << "no more than the range";
        std::atomic<std::size_t> next = 0;
        std::vector<std::size_t> tickets(count);
        jackdaw::generate(tickets.begin(), tickets.end(), [&] { return next++; }, grain{size});
        std::sort(tickets.begin(), tickets.end());
        for (std::size_t i = 0; i != count; ++i) ASSERT_EQ(tickets[i], i) << "one call an element";
      }
    }
  });
}

TEST_P(transform_test, a_value_that_is_an_element_of_the_range) {
  run([&] {
    std::vector<std::string> words(1000, "old");
    words[700] = "the value itself, which is assigned to as well";
    const std::string before = words[700];
    jackdaw::fill(words, words[700], grain{1000});
    EXPECT_EQ(words, std::vector<std::string>(1000, before));
  });
}

TEST_P(transform_test, differences_of_neighbours_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_transform) {
      const std::vector<std::uint64_t> in = random_input(count);
      std::vector<std::uint64_t> expected(count), mixed(count);
      const auto mix = [](std::uint64_t x, std::uint64_t y) { return 3 * x ^ y; };
      std::adjacent_difference(in.begin(), in.end(), expected.begin());
      std::adjacent_difference(in.begin(), in.end(), mixed.begin(), mix);
      for (const std::size_t size : grains_of_transform) {
        std::vector<std::uint64_t> out(count), same = in;
        EXPECT_EQ(jackdaw::adjacent_difference(in.begin(), in.end(), out.begin(), grain{size}), out.end());
        EXPECT_EQ(out, expected) << count << ", grain " << size;
        EXPECT_EQ(jackdaw::adjacent_difference(same.begin(), same.end(), same.begin(), mix, grain{size}), same.end());
        EXPECT_EQ(same, mixed) << "in place, " << count << ", grain " << size;
      }
    }
  });
}

TEST_P(transform_test, differences_undo_sums_of_words) {
  run([&] {
    std::vector<std::string> prefixes;
    for (int i = 0; i != 300; ++i) prefixes.push_back((prefixes.empty() ? "" : prefixes.back()) + std::to_string(i));
    const auto rest = [](const std::string& longer, const std::string& shorter) {
      return longer.substr(shorter.size());
    };
    std::vector<std::string> out(prefixes.size());
    jackdaw::adjacent_difference(prefixes.begin(), prefixes.end(), out.begin(), rest, grain{4});
    for (int i = 0; i != 300; ++i) EXPECT_EQ(out[std::size_t(i)], std::to_string(i));
  });
}

TEST_P(transform_test, an_exception_reaches_the_caller) {
  run([&] {
    std::vector<int> in(1000), out(1000);
    std::iota(in.begin(), in.end(), 0);
    const auto bad = [](int x) { return x == 700 ? throw std::runtime_error("700") : x; };
    const auto bad_pair = [&](int x, int) { return bad(x); };
    for (const std::size_t size : grains_of_transform) {
      EXPECT_THROW(jackdaw::transform(in.begin(), in.end(), out.begin(), bad, grain{size}), std::runtime_error);
      EXPECT_THROW(jackdaw::adjacent_difference(in.begin(), in.end(), out.begin(), bad_pair, grain{size}),
                   std::runtime_error);
      std::atomic<int> made = 0;
      EXPECT_THROW(jackdaw::generate(out, [&] { return bad(made++); }, grain{size}), std::runtime_error);
    }
  });
}

}  // namespace
