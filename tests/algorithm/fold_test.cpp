#include "jackdaw/algorithm/fold.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/flatten.hpp"
#include "jackdaw/algorithm/group.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class fold_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(fold_test);

const std::vector<std::size_t> sizes_of_fold = {0, 1, 2, 3, 100, 1000, 20000};
const std::vector<std::size_t> grains_of_fold = {0, 1, 2, 63, 1000, std::numeric_limits<std::size_t>::max()};

/// A state that can only be moved.
using pile = std::unique_ptr<std::vector<int>>;
const auto make_pile = [] { return std::make_unique<std::vector<int>>(); };
const auto put_on = [](pile& on, int x) { on->push_back(x); };
const auto put_together = [](pile left, pile right) {
  left->insert(left->end(), right->begin(), right->end());
  return left;
};

TEST_P(fold_test, states_are_combined_in_order) {
  run([&] {
    for (const std::size_t count : sizes_of_fold) {
      std::vector<int> in(count);
      std::iota(in.begin(), in.end(), 0);
      for (const std::size_t size : grains_of_fold) {
        EXPECT_EQ(*jackdaw::fold(in.begin(), in.end(), make_pile, put_on, put_together, grain{size}), in);
        const auto put_block = [](pile& on, int first, int last) {
          for (; first != last; ++first) on->push_back(first);
        };
        EXPECT_EQ(*jackdaw::fold_range(0, int(count), make_pile, put_block, put_together, grain{size}), in);
      }
    }
  });
}

TEST_P(fold_test, each_leaf_has_one_state) {
  run([&] {
    const std::vector<int> in(10000, 1);
    for (const std::size_t size : {std::size_t{100}, std::size_t{10000}}) {
      std::atomic<std::size_t> made = 0;
      const auto make = [&] { return ++made, 0; };
      const int sum = jackdaw::fold(in, make, [](int& s, int x) { s += x; }, std::plus<>{}, grain{size});
      EXPECT_EQ(sum, 10000);
      EXPECT_GE(made, 10000 / size);
      EXPECT_LE(made, 2 * 10000 / size);
    }
  });
}

TEST_P(fold_test, weights_see_the_loops_own_integers) {
  run([&] {
    std::atomic<bool> outside = false;
    const auto weigh = [&](std::int64_t first, std::int64_t last) {
      if (first < -5 || last > 1000) outside = true;
      return double(last - first);
    };
    const auto add = [](std::int64_t& sum, std::int64_t first, std::int64_t last) {
      for (; first != last; ++first) sum += first;
    };
    const auto zero = [] { return std::int64_t{0}; };
    EXPECT_EQ(jackdaw::fold_range(-5, 1000u, zero, add, std::plus<>{}, work_of{weigh}), 999 * 1000 / 2 - 15);
    EXPECT_FALSE(outside);
  });
}

TEST_P(fold_test, an_exception_reaches_the_caller) {
  run([&] {
    std::vector<int> in(1000);
    std::iota(in.begin(), in.end(), 0);
    const auto bad = [](pile& on, int x) { x == 700 ? throw std::runtime_error("700") : on->push_back(x); };
    for (const std::size_t size : grains_of_fold) {
      EXPECT_THROW(jackdaw::fold(in, make_pile, bad, put_together, grain{size}), std::runtime_error);
      const auto key = [](int x) { return x == 700 ? throw std::runtime_error("700") : x; };
      EXPECT_THROW(jackdaw::group_by(in, key, grain{size}), std::runtime_error);
      EXPECT_THROW(jackdaw::histogram(in, 1000, key, grain{size}), std::runtime_error);
    }
  });
}

TEST_P(fold_test, counts_bins) {
  run([&] {
    for (const std::size_t count : sizes_of_fold) {
      std::vector<std::uint64_t> in(count);
      jackdaw::testing::numbers random(count);
      for (auto& x : in) x = random();
      for (const std::size_t bins : {1, 7, 300, 5000}) {
        std::vector<std::size_t> expected(bins);
        for (const std::uint64_t x : in) ++expected[x % bins];
        const auto bin_of = [bins](std::uint64_t x) { return x % bins; };
        for (const std::size_t size : grains_of_fold)
          EXPECT_EQ(jackdaw::histogram(in, bins, bin_of, grain{size}), expected) << count << ", " << bins;
      }
    }
    const std::string text = "a text is a range of small integers";
    const std::vector<std::size_t> letters = jackdaw::histogram(text, 128);
    EXPECT_EQ(letters['a'], 4u);
  });
}

TEST_P(fold_test, refuses_a_bin_that_is_not_there) {
  run([&] {
    for (const int bad : {-1, 10, std::numeric_limits<int>::min()}) {
      std::vector<int> in(1000, 3);
      in[500] = bad;
      try {
        jackdaw::histogram(in, 10);
        ADD_FAILURE() << bad;
      } catch (const jackdaw::error& e) {
        EXPECT_EQ(e.what(), "an element of bin " + std::to_string(bad) + ", expected bins from 0 to below 10");
      }
    }
    EXPECT_THROW(jackdaw::histogram(std::vector<int>{0}, 0), jackdaw::error);
    EXPECT_TRUE(jackdaw::histogram(std::vector<int>{}, 0).empty());
  });
}

TEST_P(fold_test, groups_keep_the_order_of_elements) {
  run([&] {
    for (const std::size_t count : sizes_of_fold) {
      for (const std::uint64_t keys : {1, 5, 1000000}) {
        std::deque<std::pair<std::string, std::size_t>> in;
        jackdaw::testing::numbers random(count + keys);
        std::map<std::string, std::vector<std::pair<std::string, std::size_t>>> expected;
        for (std::size_t i = 0; i != count; ++i) {
          in.emplace_back(std::to_string(random() % keys), i);
          expected[in.back().first].push_back(in.back());
        }
        const auto groups = jackdaw::group_by(in, [](const auto& x) -> std::string_view { return x.first; });
        ASSERT_EQ(groups.size(), expected.size());
        auto next = groups.begin();
        for (const auto& [key, elements] : expected) {
          EXPECT_EQ(next->first, key);
          EXPECT_EQ(next->second, elements);
          ++next;
        }
      }
    }
  });
}

TEST_P(fold_test, flattens_ranges_of_any_sizes) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 100, 1000}) {
      std::vector<std::vector<std::string>> parts(count);
      std::vector<std::string> expected;
      jackdaw::testing::numbers random(count);
      for (auto& part : parts) {
        // Many are empty, and one in ten is long.
        const std::uint64_t size = random() % 10 < 6 ? 0 : random() % 10 < 9 ? random() % 4 : 500;
        for (std::uint64_t i = 0; i != size; ++i) part.push_back(std::to_string(random()));
        expected.insert(expected.end(), part.begin(), part.end());
      }
      for (const std::size_t size : grains_of_fold) {
        EXPECT_EQ(jackdaw::flatten(parts, grain{size}), expected);
        std::deque<std::string> out(expected.size());
        EXPECT_EQ(jackdaw::flatten(parts, out.begin(), grain{size}), out.end());
        EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin()));
      }
    }
    const std::vector<int> numbers = {1, 2, 3, 4};
    const std::vector<std::span<const int>> views = {std::span(numbers).first(3), {}, std::span(numbers).last(2)};
    EXPECT_EQ(jackdaw::flatten(views), (std::vector<int>{1, 2, 3, 3, 4}));
  });
}

}  // namespace
