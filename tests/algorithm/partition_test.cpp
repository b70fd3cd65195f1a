#include "jackdaw/algorithm/partition.hpp"

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

#include "algorithm/adversary.hpp"
#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/nth_element.hpp"
#include "jackdaw/algorithm/unique.hpp"

namespace {

using jackdaw::grain;

class partition_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(partition_test);

const std::vector<std::size_t> sizes_of_partition = {0, 1, 2, 3, 33, 257, 1000, 50000};
const std::vector<std::size_t> grains_of_partition = {0, 1, 2, 64, 1000, std::numeric_limits<std::size_t>::max()};

std::vector<std::uint64_t> values_below(std::size_t count, std::uint64_t values) {
  std::vector<std::uint64_t> in(count);
  jackdaw::testing::numbers random(count * 3 + values);
  for (auto& x : in) x = random() % values;
  return in;
}

template <class T>
std::vector<T> sorted_copy(std::vector<T> all) {
  std::sort(all.begin(), all.end());
  return all;
}

TEST_P(partition_test, accepted_elements_go_first) {
  run([&] {
    for (const std::size_t count : sizes_of_partition) {
      const std::vector<std::uint64_t> in = values_below(count, 1000);
      for (const std::uint64_t limit : {0, 1, 500, 1000}) {
        for (const std::size_t size : grains_of_partition) {
          if (count == 50000 && size == 1) continue;
          std::vector<std::uint64_t> all = in;
          std::atomic<std::size_t> asked = 0;
          const auto is_low = [&](std::uint64_t x) { return ++asked, x < limit; };
          const auto middle = jackdaw::partition(all.begin(), all.end(), is_low, grain{size});
          EXPECT_EQ(asked, count);
          EXPECT_TRUE(std::all_of(all.begin(), middle, [&](std::uint64_t x) { return x < limit; }));
          EXPECT_TRUE(std::none_of(middle, all.end(), [&](std::uint64_t x) { return x < limit; }));
          EXPECT_EQ(sorted_copy(all), sorted_copy(in)) << count << ", grain " << size;
        }
      }
    }
  });
}

TEST_P(partition_test, of_what_can_only_be_moved) {
  run([&] {
    std::deque<std::unique_ptr<int>> boxes;
    for (int i = 0; i != 3000; ++i) boxes.push_back(std::make_unique<int>(i));
    const auto middle =
        jackdaw::partition(boxes, [](const std::unique_ptr<int>& box) { return *box % 3 == 0; }, grain{50});
    EXPECT_EQ(middle - boxes.begin(), 1000);
    for (auto it = boxes.begin(); it != boxes.end(); ++it) ASSERT_EQ(**it % 3 == 0, it < middle);
  });
}

TEST_P(partition_test, an_exception_loses_no_element) {
  run([&] {
    std::vector<std::string> words;
    for (int i = 0; i != 2000; ++i) words.push_back("a word that is not short: " + std::to_string(i));
    for (const std::size_t size : grains_of_partition) {
      std::vector<std::string> all = words;
      std::atomic<int> left = 1234;
      const auto bad = [&](const std::string& s) { return --left == 0 ? throw std::runtime_error("now") : s < "b"; };
      EXPECT_THROW(jackdaw::partition(all, bad, grain{size}), std::runtime_error);
      EXPECT_EQ(sorted_copy(all), sorted_copy(words));
      left = 1234;
      const auto bad_less = [&](const std::string& a, const std::string& b) { return bad(a) && a < b; };
      EXPECT_THROW(jackdaw::nth_element(all, all.begin() + 1000, bad_less), std::runtime_error);
      EXPECT_EQ(sorted_copy(all), sorted_copy(words));
    }
  });
}

TEST_P(partition_test, the_nth_element_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_partition) {
      for (const std::uint64_t values : {1, 3, 1000000}) {
        const std::vector<std::uint64_t> in = values_below(count, values), sorted = sorted_copy(in);
        for (const std::size_t place : {std::size_t{0}, count / 3, count / 2, count - (count != 0), count}) {
          std::vector<std::uint64_t> all = in;
          const auto nth = all.begin() + std::ptrdiff_t(place);
          jackdaw::nth_element(all.begin(), nth, all.end());
          EXPECT_EQ(sorted_copy(all), sorted);
          if (place == count) continue;
          ASSERT_EQ(*nth, sorted[place]) << count << ", " << place;
          EXPECT_TRUE(std::none_of(all.begin(), nth, [&](std::uint64_t x) { return *nth < x; }));
          EXPECT_TRUE(std::none_of(nth, all.end(), [&](std::uint64_t x) { return x < *nth; }));
        }
      }
    }
  });
}

TEST_P(partition_test, the_nth_element_of_orders_that_deceive) {
  run([&] {
    const std::size_t count = 5000;
    // Sorted, descending, and an order that is made while it is asked.
    std::vector<std::size_t> rising(count);
    for (std::size_t i = 0; i != count; ++i) rising[i] = i;
    std::vector<std::size_t> falling(rising.rbegin(), rising.rend());
    jackdaw::nth_element(rising, rising.begin() + 17);
    EXPECT_EQ(rising[17], 17u);
    jackdaw::nth_element(falling, falling.begin() + 17, std::greater<>{});
    EXPECT_EQ(falling[17], count - 18);
    jackdaw::testing::adversary order(count);
    std::vector<std::size_t> all = sorted_copy(rising);
    jackdaw::options alone;  // its answers are not for several workers
    alone.workers = 1;
    alone.pin = false;
    jackdaw::runtime(alone).run([&] {
      jackdaw::nth_element(all, all.begin() + count / 2,
                           [&](std::size_t x, std::size_t y) { return order.less(x, y); });
    });
    EXPECT_LT(order.comparisons, 40 * count) << "n log n";
  });
}

TEST_P(partition_test, unique_as_std) {
  run([&] {
    for (const std::size_t count : sizes_of_partition) {
      for (const std::uint64_t values : {1, 2, 5, 1000000}) {
        const std::vector<std::uint64_t> in = values_below(count, values);
        std::vector<std::uint64_t> expected = in;
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        std::vector<std::uint64_t> odd = in;
        odd.erase(std::remove_if(odd.begin(), odd.end(), [](std::uint64_t x) { return x % 2 == 0; }), odd.end());
        for (const std::size_t size : grains_of_partition) {
          if (count == 50000 && size == 1) continue;
          std::vector<std::uint64_t> all = in;
          all.erase(jackdaw::unique(all.begin(), all.end(), grain{size}), all.end());
          EXPECT_EQ(all, expected) << count << ", grain " << size;
          all = in;
          all.erase(jackdaw::remove_if(all, [](std::uint64_t x) { return x % 2 == 0; }, grain{size}), all.end());
          EXPECT_EQ(all, odd) << count << ", grain " << size;
        }
      }
    }
  });
}

/// Cannot be made without a value, so it is not moved to a buffer.
struct made_of_a_number {
  explicit made_of_a_number(int n) : number(n) {}
  int number;
  bool operator==(const made_of_a_number&) const = default;
};

TEST_P(partition_test, unique_keeps_the_first_of_equals_of_any_type) {
  run([&] {
    std::vector<std::pair<std::string, int>> words;
    std::deque<std::unique_ptr<int>> boxes;
    std::vector<made_of_a_number> made;
    for (int i = 0; i != 2000; ++i) {
      words.emplace_back(std::to_string(i / 3), i);
      boxes.push_back(std::make_unique<int>(i / 3));
      made.emplace_back(i / 3);
    }
    words.erase(jackdaw::unique(words, {}, &std::pair<std::string, int>::first, grain{7}), words.end());
    ASSERT_EQ(words.size(), 667u);
    const auto content = [](const std::unique_ptr<int>& box) { return *box; };
    boxes.erase(jackdaw::unique(boxes, {}, content, grain{7}), boxes.end());
    ASSERT_EQ(boxes.size(), 667u);
    made.erase(jackdaw::unique(made, grain{7}), made.end());
    ASSERT_EQ(made.size(), 667u);
    for (int i = 0; i != 667; ++i) {
      EXPECT_EQ(words[std::size_t(i)].second, 3 * i) << "the first of three";
      EXPECT_EQ(*boxes[std::size_t(i)], i);
      EXPECT_EQ(made[std::size_t(i)].number, i);
    }
  });
}

}  // namespace
