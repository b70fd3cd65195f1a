#include "jackdaw/algorithm/sort.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "algorithm/adversary.hpp"
#include "algorithm/on_workers.hpp"
#include "support/sanitized.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;
using jackdaw::testing::numbers;

class sort_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(sort_test);

/// Sizes around those at which a sort changes its method: small sorts, samples, leaves, shared partitions.
constexpr std::size_t large = jackdaw::test::sanitized ? 8000 : 30000;
const std::vector<std::size_t> sizes_of_sort = {0,  1,  2,  3,  7,  8,   9,   12,   13,   16,   17,   31,   32,
                                                33, 63, 64, 65, 66, 129, 511, 1023, 1024, 1025, 2500, large};
const std::vector<std::size_t> grains_of_sort = {0, 1, 100, 10000000};

using input = std::function<std::uint64_t(std::size_t i, std::size_t count, numbers& random)>;
struct named_input {
  const char* name;
  input at;
};
const std::vector<named_input> inputs = {
    {"random", [](auto, auto, numbers& random) { return random(); }},
    {"sorted", [](auto i, auto, auto&) { return i; }},
    {"reversed", [](auto i, auto n, auto&) { return n - i; }},
    {"reversed pairs", [](auto i, auto n, auto&) { return (n - i) / 2; }},
    {"equal", [](auto, auto, auto&) { return 7; }},
    {"few", [](auto, auto, numbers& random) { return random() % 4; }},
    {"many equal", [](auto, auto n, numbers& random) { return random() % (n / 8 + 1); }},
    {"organ pipe", [](auto i, auto n, auto&) { return std::min(i, n - i); }},
    {"saw", [](auto i, auto, auto&) { return i % 37; }},
    {"all but last sorted", [](auto i, auto n, auto&) { return i + 1 == n ? 0 : i + 1; }},
    {"all but first sorted", [](auto i, auto n, auto&) { return i == 0 ? n : i; }},
    {"two runs", [](auto i, auto n, auto&) { return i < n / 2 ? 2 * i : 2 * i - n; }},
};

std::vector<std::uint64_t> make(const named_input& kind, std::size_t count) {
  numbers random(count);
  std::vector<std::uint64_t> v(count);
  for (std::size_t i = 0; i != count; ++i) v[i] = kind.at(i, count, random);
  return v;
}

/// Sorts with both sorts and each grain, and compares with std::sort's result: the orders distinguish all different
/// values.
template <class T, class Less = std::less<>>
void compare_with_std(const std::vector<T>& in, Less less = {}, const char* name = "") {
  auto expected = in;
  std::sort(expected.begin(), expected.end(), less);
  for (const std::size_t size : grains_of_sort) {
    auto v = in;
    jackdaw::sort(v.begin(), v.end(), less, grain{size});
    ASSERT_TRUE(v == expected) << name << " sort of " << in.size() << ", grain " << size;
    v = in;
    jackdaw::stable_sort(v.begin(), v.end(), less, grain{size});
    ASSERT_TRUE(v == expected) << name << " stable_sort of " << in.size() << ", grain " << size;
  }
}

TEST_P(sort_test, integers_of_every_shape) {
  run([&] {
    for (const auto& kind : inputs) {
      for (const std::size_t count : sizes_of_sort) compare_with_std(make(kind, count), std::less<>{}, kind.name);
    }
  });
}

TEST_P(sort_test, a_hundred_thousand) {
  const std::size_t count = jackdaw::test::sanitized ? 20000 : 100000;
  run([&] {
    for (const auto& kind : inputs) {
      const auto in = make(kind, count);
      compare_with_std(in, std::less<>{}, kind.name);
    }
    compare_with_std(make(inputs[0], count), std::greater<>{});
  });
}

TEST_P(sort_test, every_small_permutation) {
  run([&] {
    std::vector<int> v = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto sorted = v;
    do {
      auto a = v, b = v;
      jackdaw::sort(a.begin(), a.end(), std::less<>{}, grain{1});
      jackdaw::stable_sort(b.begin(), b.end(), std::less<>{}, grain{1});
      ASSERT_EQ(a, sorted);
      ASSERT_EQ(b, sorted);
    } while (std::next_permutation(v.begin(), v.end()));
  });
}

TEST_P(sort_test, every_small_choice_of_zeros_and_ones) {
  run([&] {
    for (const int size : {8, 13, 16}) {
      for (unsigned pattern = 0; pattern < 1u << size; pattern += size == 16 ? 7 : 1) {
        std::vector<int> v(static_cast<std::size_t>(size));
        for (int i = 0; i != size; ++i) v[static_cast<std::size_t>(i)] = pattern >> i & 1;
        auto w = v;
        jackdaw::sort(v.begin(), v.end());
        jackdaw::stable_sort(w.begin(), w.end());
        ASSERT_TRUE(std::is_sorted(v.begin(), v.end()));
        ASSERT_EQ(std::count(v.begin(), v.end(), 1), std::popcount(pattern));
        ASSERT_EQ(v, w);
      }
    }
  });
}

TEST_P(sort_test, doubles_strings_and_views) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 13, 40, 1025, 20000}) {
      numbers random(count);
      std::vector<double> doubles(count);
      for (double& x : doubles) x = double(std::int64_t(random())) / 1e9;
      compare_with_std(doubles);
      std::vector<std::string> strings(count);
      for (auto& s : strings) s = std::string(random() % 20, 'p') + std::to_string(random() % 5000);
      compare_with_std(strings);
      compare_with_std(std::vector<std::string_view>(strings.begin(), strings.end()));
    }
  });
}

struct big {
  std::array<std::uint64_t, 16> words;
  bool operator<(const big& other) const { return words < other.words; }
  bool operator==(const big&) const = default;
};

TEST_P(sort_test, big_elements) {
  run([&] {
    numbers random(1);
    std::vector<big> v(3000);
    for (big& b : v)
      for (auto& w : b.words) w = random() % 2;
    compare_with_std(v);
  });
}

/// Movable only, not default-constructible, and it notices when a moved-from one is compared.
struct unique_key {
  std::unique_ptr<int> key;
  explicit unique_key(int k) : key(std::make_unique<int>(k)) {}
  bool operator<(const unique_key& other) const { return *key < *other.key; }
};

TEST_P(sort_test, move_only_elements) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 12, 13, 100, 1025, 50000}) {
      for (const std::size_t size : grains_of_sort) {
        numbers random(count);
        std::vector<int> keys(count);
        for (int& k : keys) k = int(random() % 10000);
        std::vector<unique_key> v, w;
        for (const int k : keys) {
          v.emplace_back(k);
          w.emplace_back(k);
        }
        jackdaw::sort(v.begin(), v.end(), std::less<>{}, grain{size});
        jackdaw::stable_sort(w.begin(), w.end(), std::less<>{}, grain{size});
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 0; i != count; ++i) {
          ASSERT_EQ(*v[i].key, keys[i]);
          ASSERT_EQ(*w[i].key, keys[i]);
        }
      }
    }
  });
}

/// A trivially copyable type that cannot be assigned by copy.
struct move_only_pod {
  int key;
  explicit move_only_pod(int k) : key(k) {}
  move_only_pod(move_only_pod&&) = default;
  move_only_pod& operator=(move_only_pod&&) = default;
};

TEST_P(sort_test, trivial_move_only_elements) {
  run([&] {
    std::vector<move_only_pod> v;
    numbers random(4);
    for (int i = 0; i != 20000; ++i) v.emplace_back(int(random() % 1000));
    const auto less = [](const move_only_pod& a, const move_only_pod& b) { return a.key < b.key; };
    jackdaw::sort(v.begin(), v.end(), less, grain{64});
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end(), less));
    std::shuffle(v.begin(), v.end(), random);
    jackdaw::stable_sort(v.begin(), v.end(), less, grain{64});
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end(), less));
  });
}

/// Its moves may throw, by their declaration.
struct careful {
  static inline std::atomic<long> copies = 0;
  careful() = default;
  careful(const careful&) noexcept(false) { ++copies; }
  careful& operator=(const careful&) noexcept(false) {
    ++copies;
    return *this;
  }
};

template <class Payload>
void expect_stable(std::size_t count, unsigned keys, std::size_t size) {
  struct item {
    unsigned key;
    std::size_t place;
    Payload payload;
  };
  std::vector<item> v(count);
  numbers random(count + keys);
  for (std::size_t i = 0; i != count; ++i) v[i] = {unsigned(random() % keys), i, Payload()};
  const auto by_key = [](const item& a, const item& b) { return a.key < b.key; };
  const auto by_both = [](const item& a, const item& b) {
    return std::pair(a.key, a.place) < std::pair(b.key, b.place);
  };
  jackdaw::stable_sort(v.begin(), v.end(), by_key, grain{size});
  EXPECT_TRUE(std::is_sorted(v.begin(), v.end(), by_both)) << count << " of " << keys << ", grain " << size;
}

TEST_P(sort_test, stable_sort_is_stable) {
  run([&] {
    for (const std::size_t count : sizes_of_sort) {
      for (const unsigned keys : {1u, 2u, 10u, 1000u}) {
        for (const std::size_t size : grains_of_sort) {
          expect_stable<int>(count, keys, size);                   // copied in the small sorts
          expect_stable<std::array<char, 40>>(count, keys, size);  // too big for that
        }
        expect_stable<std::string>(count, keys, 100);  // never copied
        expect_stable<careful>(count, keys, 100);      // not even moved more than once
      }
    }
  });
}

TEST_P(sort_test, iterators_without_pointers) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 40, 1025, 40000}) {
      const auto in = make(inputs[0], count);
      auto expected = in;
      std::sort(expected.begin(), expected.end());
      for (const std::size_t size : grains_of_sort) {
        std::deque<std::uint64_t> v(in.begin(), in.end()), w = v;
        jackdaw::sort(v.begin(), v.end(), std::less<>{}, grain{size});
        jackdaw::stable_sort(w.begin(), w.end(), std::less<>{}, grain{size});
        EXPECT_TRUE(std::equal(v.begin(), v.end(), expected.begin(), expected.end()));
        EXPECT_TRUE(std::equal(w.begin(), w.end(), expected.begin(), expected.end()));
        auto r = in;
        jackdaw::sort(r.rbegin(), r.rend(), std::less<>{}, grain{size});
        EXPECT_TRUE(std::equal(r.rbegin(), r.rend(), expected.begin(), expected.end()));
      }
    }
  });
}

TEST_P(sort_test, options_without_an_order_and_weights) {
  run([&] {
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last) * last - double(first) * first; };
    const auto in = make(inputs[0], large);
    auto expected = in;
    std::sort(expected.begin(), expected.end());
    auto v = in;
    jackdaw::sort(v.begin(), v.end());
    EXPECT_EQ(v, expected);
    v = in;
    jackdaw::sort(v.begin(), v.end(), work_of{weigh}, grain{128});
    EXPECT_EQ(v, expected);
    v = in;
    jackdaw::stable_sort(v.begin(), v.end(), grain{128}, work_of{weigh});
    EXPECT_EQ(v, expected);
    v = in;
    jackdaw::stable_sort(v.begin(), v.end());
    EXPECT_EQ(v, expected);
  });
}

TEST(sort, the_worst_input_costs_n_log_n) {
  for (const std::size_t count : {1000, 100000}) {
    jackdaw::testing::adversary enemy(count);
    std::vector<std::size_t> items(count);
    for (std::size_t i = 0; i != count; ++i) items[i] = i;
    const auto less = [&](std::size_t x, std::size_t y) { return enemy.less(x, y); };
    jackdaw::sort(items.begin(), items.end(), less, grain{count});  // one leaf: the adversary is serial
    EXPECT_TRUE(std::is_sorted(items.begin(), items.end(), less));
    EXPECT_LT(double(enemy.comparisons), 6 * double(count) * std::log2(double(count)));
  }
}

TEST(sort, the_worst_input_loses_nothing_if_a_comparison_throws) {
  constexpr std::size_t count = 3000;
  for (std::size_t bad = 1000;; bad += 7919) {
    jackdaw::testing::adversary enemy(count);
    std::vector<std::unique_ptr<std::size_t>> items;
    for (std::size_t i = 0; i != count; ++i) items.push_back(std::make_unique<std::size_t>(i));
    const auto less = [&](const auto& x, const auto& y) {
      if (enemy.comparisons == bad) throw std::runtime_error("comparison");
      return enemy.less(*x, *y);
    };
    bool threw = false;
    try {
      jackdaw::sort(items.begin(), items.end(), less, grain{count});
    } catch (const std::runtime_error&) {
      threw = true;
    }
    EXPECT_EQ(std::count(items.begin(), items.end(), nullptr), 0) << bad;
    if (!threw) break;
  }
}

}  // namespace
