#include "jackdaw/algorithm/find.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/count.hpp"
#include "jackdaw/algorithm/min_max.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class find_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(find_test);

const std::vector<std::size_t> sizes_of_find = {0, 1, 2, 3, 17, 257, 1000, 20000};
const std::vector<std::size_t> grains_of_find = {0, 1, 2, 63, 1000, std::numeric_limits<std::size_t>::max()};

std::vector<std::uint64_t> few_values(std::size_t count, std::uint64_t values) {
  std::vector<std::uint64_t> in(count);
  jackdaw::testing::numbers random(count + values);
  for (auto& x : in) x = random() % values;
  return in;
}

TEST_P(find_test, the_first_match_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_find) {
      for (const std::uint64_t values : {1, 3, 1000, 1000000}) {
        const std::vector<std::uint64_t> in = few_values(count, values);
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{2}, values}) {
          const auto is = [value](std::uint64_t x) { return x == value; };
          const auto expected = std::find(in.begin(), in.end(), value);
          const auto other = std::find_if_not(in.begin(), in.end(), is);
          const bool found = expected != in.end();
          for (const std::size_t size : grains_of_find) {
            EXPECT_EQ(jackdaw::find(in.begin(), in.end(), value, grain{size}), expected);
            EXPECT_EQ(jackdaw::find_if(in.begin(), in.end(), is, grain{size}), expected);
            EXPECT_EQ(jackdaw::find_if_not(in.begin(), in.end(), is, grain{size}), other);
            EXPECT_EQ(jackdaw::any_of(in.begin(), in.end(), is, grain{size}), found);
            EXPECT_EQ(jackdaw::none_of(in.begin(), in.end(), is, grain{size}), !found);
            EXPECT_EQ(jackdaw::all_of(in.begin(), in.end(), is, grain{size}), other == in.end());
            EXPECT_EQ(jackdaw::count(in.begin(), in.end(), value, grain{size}),
                      std::count(in.begin(), in.end(), value));
            EXPECT_EQ(jackdaw::count_if(in.begin(), in.end(), is, grain{size}),
                      std::count(in.begin(), in.end(), value));
          }
        }
      }
    }
  });
}

TEST_P(find_test, one_match_at_each_place) {
  run([&] {
    std::deque<std::string> in(300, "no");
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    for (std::size_t place = 0; place != in.size(); ++place) {
      in[place] = "yes";
      EXPECT_EQ(jackdaw::find(in.begin(), in.end(), "yes", grain{3}) - in.begin(), std::ptrdiff_t(place));
      EXPECT_EQ(jackdaw::find(in.begin(), in.end(), "yes", work_of{weigh}) - in.begin(), std::ptrdiff_t(place));
      EXPECT_TRUE(jackdaw::any_of(in, [](const std::string& s) { return s == "yes"; }, grain{1}));
      in[place] = "no";
    }
  });
}

TEST(find, one_worker_asks_about_no_element_behind_the_match) {
  jackdaw::options alone;
  alone.workers = 1;
  alone.pin = false;
  jackdaw::runtime(alone).run([&] {
    std::vector<char> in(1'000'000);
    for (const std::size_t place : {0, 1, 1500, 999'999}) {
      in[place] = 1;
      for (const std::size_t size : grains_of_find) {
        if (size == 1 || size == 2) continue;
        std::size_t asked = 0;
        const auto is = [&](char c) { return ++asked, c == 1; };
        EXPECT_EQ(jackdaw::find_if(in, is, grain{size}) - in.begin(), std::ptrdiff_t(place));
        EXPECT_EQ(asked, place + 1);
        asked = 0;
        EXPECT_TRUE(jackdaw::any_of(in, is, grain{size}));
        EXPECT_EQ(asked, place + 1);
      }
      in[place] = 0;
    }
  });
}

TEST_P(find_test, an_exception_reaches_the_caller) {
  run([&] {
    const std::vector<std::uint64_t> in = few_values(5000, 5000);
    const auto bad = [](std::uint64_t x) { return x == 77 || x == 4999 ? throw std::runtime_error("77") : false; };
    if (std::find(in.begin(), in.end(), 77u) == in.end() && std::find(in.begin(), in.end(), 4999u) == in.end()) return;
    for (const std::size_t size : grains_of_find) {
      EXPECT_THROW(jackdaw::find_if(in, bad, grain{size}), std::runtime_error);
      EXPECT_THROW(jackdaw::any_of(in, bad, grain{size}), std::runtime_error);
      EXPECT_THROW(jackdaw::count_if(in, bad, grain{size}), std::runtime_error);
      const auto bad_less = [&](std::uint64_t x, std::uint64_t y) { return bad(x) || x < y; };
      EXPECT_THROW(jackdaw::min_element(in, bad_less, grain{size}), std::runtime_error);
    }
  });
}

TEST_P(find_test, least_and_greatest_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_find) {
      for (const std::uint64_t values : {1, 3, 1000000}) {
        const std::vector<std::uint64_t> in = few_values(count, values);
        const auto [least, greatest] = std::minmax_element(in.begin(), in.end());
        const auto first_greatest = std::max_element(in.begin(), in.end());
        for (const std::size_t size : grains_of_find) {
          EXPECT_EQ(jackdaw::min_element(in.begin(), in.end(), grain{size}), least);
          EXPECT_EQ(jackdaw::max_element(in.begin(), in.end(), grain{size}), first_greatest);
          const auto both = jackdaw::minmax_element(in.begin(), in.end(), grain{size});
          EXPECT_EQ(both.min, least);
          EXPECT_EQ(both.max, greatest);
          EXPECT_EQ(jackdaw::max_element(in.begin(), in.end(), std::greater<>{}, grain{size}), least);
        }
      }
    }
  });
}

TEST_P(find_test, least_of_what_can_only_be_moved) {
  run([&] {
    std::vector<std::unique_ptr<int>> boxes;
    for (int i = 0; i != 999; ++i) boxes.push_back(std::make_unique<int>((i * 7) % 500));
    const auto content = [](const std::unique_ptr<int>& box) { return *box; };
    EXPECT_EQ(jackdaw::min_element(boxes, {}, content) - boxes.begin(), 0);
    EXPECT_EQ(*jackdaw::max_element(boxes, {}, content, grain{5})->get(), 499);
  });
}

}  // namespace
