#include "jackdaw/algorithm/sort.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithm/on_workers.hpp"

namespace {

using jackdaw::grain;
using jackdaw::testing::numbers;

class sort_exception_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(sort_exception_test);

struct small_element {
  int key;
  explicit small_element(int k) : key(k) {}
  int value() const { return key; }
};

struct big_element {
  int key;
  std::array<int, 20> rest{};
  explicit big_element(int k) : key(k) {}
  int value() const { return key; }
};

struct unique_element {
  std::unique_ptr<int> key;
  explicit unique_element(int k) : key(std::make_unique<int>(k)) {}
  int value() const { return *key; }
};

/// Its moves may throw, by their declaration.
struct careful_element {
  static inline std::atomic<long> copies = 0;
  int key;
  explicit careful_element(int k) : key(k) {}
  careful_element(const careful_element& other) noexcept(false) : key(other.key) { ++copies; }
  careful_element& operator=(const careful_element& other) noexcept(false) {
    key = other.key;
    ++copies;
    return *this;
  }
  int value() const { return key; }
};

enum class which { unstable, stable };

/// Sorts `count` elements with a comparison that throws at its call number `bad` (or soon after, if several run). In
/// any case all elements must be there afterwards. Returns whether it threw.
template <class T>
bool all_there_after(which sort, std::size_t count, long bad, std::size_t size) {
  std::vector<int> keys(count);
  std::iota(keys.begin(), keys.end(), 0);
  numbers random(count);
  std::shuffle(keys.begin(), keys.end(), random);
  std::vector<T> v;
  for (const int k : keys) v.emplace_back(k);
  std::atomic<long> calls = 0;
  const auto less = [&](const T& a, const T& b) {
    if (++calls >= bad) throw std::runtime_error("comparison");
    return a.value() < b.value();
  };
  bool threw = false;
  try {
    if (sort == which::stable)
      jackdaw::stable_sort(v.begin(), v.end(), less, grain{size});
    else
      jackdaw::sort(v.begin(), v.end(), less, grain{size});
  } catch (const std::runtime_error&) {
    threw = true;
  }
  std::vector<int> found;
  for (const T& x : v) found.push_back(x.value());
  if (!threw) {
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  }
  std::sort(found.begin(), found.end());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(found, keys) << count << " elements, comparison " << bad << ", grain " << size;
  return threw;
}

template <class T>
void throw_everywhere() {
  for (const which sort : {which::unstable, which::stable}) {
    for (const std::size_t count : {2, 3, 8, 20, 33}) {
      long bad = 1;
      while (all_there_after<T>(sort, count, bad, 1)) ++bad;
      EXPECT_GT(bad, static_cast<long>(count) - 1);
    }
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{100000}})
      for (long bad = 1; bad < 60000; bad = bad * 3 / 2 + 5) all_there_after<T>(sort, 5000, bad, size);
  }
}

TEST_P(sort_exception_test, no_small_element_is_lost) {
  run([] { throw_everywhere<small_element>(); });
}

TEST_P(sort_exception_test, no_big_element_is_lost) {
  run([] { throw_everywhere<big_element>(); });
}

TEST_P(sort_exception_test, no_move_only_element_is_lost) {
  run([] { throw_everywhere<unique_element>(); });
}

TEST_P(sort_exception_test, no_element_with_throwing_moves_is_lost) {
  run([] { throw_everywhere<careful_element>(); });
}

TEST_P(sort_exception_test, a_shared_partition_loses_nothing) {
  run([] {
    for (const long bad : {100001L, 110000L, 150000L, 250000L}) {
      EXPECT_TRUE(all_there_after<small_element>(which::unstable, 100000, bad, 0));
      EXPECT_TRUE(all_there_after<unique_element>(which::unstable, 100000, bad, 0));
    }
  });
}

/// Counts the living, and may throw when it is moved.
struct counted {
  static inline std::atomic<long> alive = 0;
  int key;
  explicit counted(int k) : key(k) { ++alive; }
  counted(counted&& other) noexcept(false) : key(other.key) { ++alive; }
  counted& operator=(counted&&) noexcept(false) = default;
  ~counted() { --alive; }
  bool operator<(const counted& other) const { return key < other.key; }
};

/// The same, and never throws.
struct counted_safely {
  static inline std::atomic<long> alive = 0;
  int key;
  explicit counted_safely(int k) : key(k) { ++alive; }
  counted_safely(counted_safely&& other) noexcept : key(other.key) { ++alive; }
  counted_safely& operator=(counted_safely&&) noexcept = default;
  ~counted_safely() { --alive; }
  bool operator<(const counted_safely& other) const { return key < other.key; }
};

template <class T>
void expect_balanced() {
  {
    std::vector<T> v;
    numbers random(8);
    for (int i = 0; i != 20000; ++i) v.emplace_back(int(random() % 500));
    jackdaw::stable_sort(v.begin(), v.end(), std::less<>{}, grain{50});
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
    std::shuffle(v.begin(), v.end(), random);
    jackdaw::sort(v.begin(), v.end(), std::less<>{}, grain{50});
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
    EXPECT_EQ(T::alive, 20000);
  }
  EXPECT_EQ(T::alive, 0);
}

/// Like a type from before C++11: it is copied where others are moved. One copy throws, after a given number of them.
struct copied_only {
  int key;
  inline static std::atomic<int> copies_left{-1};
  explicit copied_only(int k) : key(k) {}
  copied_only(const copied_only& other) : key(other.key) { count(); }
  copied_only& operator=(const copied_only& other) {
    count();
    key = other.key;
    return *this;
  }
  bool operator<(const copied_only& other) const { return key < other.key; }
  static void count() {
    if (copies_left >= 0 && copies_left-- == 0) throw std::bad_alloc();
  }
};

/// A weight is the user's function as well.
TEST_P(sort_exception_test, weights_that_throw_reach_the_caller) {
  run([] {
    for (const int last_good : {0, 1, 20, 50}) {
      for (const bool for_good : {false, true}) {
        std::vector<std::string> all;
        for (int key = 0; key < 5000; ++key)
          all.emplace_back("a long enough key ").append(std::to_string(key * 7919 % 5000));
        std::vector<std::string> expected = all;
        std::atomic<int> calls{0};
        const auto weigh = [&](std::size_t from, std::size_t to) {
          const int call = calls++;
          if (call == last_good || (for_good && call > last_good)) throw std::runtime_error("weight");
          return static_cast<double>(to - from);
        };
        EXPECT_THROW(jackdaw::stable_sort(all.begin(), all.end(), std::less<>(), grain{64}, jackdaw::work_of{weigh}),
                     std::runtime_error)
            << last_good;
        std::sort(all.begin(), all.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(all, expected);
      }
    }
  });
}

TEST_P(sort_exception_test, copies_that_throw_reach_the_caller) {
  for (int after = 1; after < 20'000; after += 1 + after / 3) {
    std::vector<copied_only> values;
    for (int i = 0; i < 3000; ++i) values.emplace_back(i * 7919 % 3001);
    copied_only::copies_left = after;
    try {
      jackdaw::sort(values.begin(), values.end());
      copied_only::copies_left = -1;
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << after;
    } catch (const std::bad_alloc&) {
      copied_only::copies_left = -1;
    }
  }
}

TEST_P(sort_exception_test, every_element_made_is_destroyed) {
  run([] {
    expect_balanced<counted>();
    expect_balanced<counted_safely>();
  });
}

}  // namespace
