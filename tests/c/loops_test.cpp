// Branches, loops, reductions and sorts of the C API.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "c/called.hpp"

namespace {

using jackdaw::test::in_a_task;
using jackdaw::test::run_it;
using jackdaw::test::said;

void set(void* arg) { *static_cast<int*>(arg) = 1; }
void throw_in_branch(void* /*arg*/) { throw std::runtime_error("of a branch"); }

TEST(c_invoke, runs_both) {
  int a = 0, b = 0, c = 0, d = 0;
  const auto both = [&] {
    EXPECT_EQ(jackdaw_invoke(set, &a, set, &b), JACKDAW_OK);
    EXPECT_EQ(jackdaw_invoke_work(3, set, &c, JACKDAW_UNKNOWN, set, &d), JACKDAW_OK);
  };
  both();
  EXPECT_EQ(a + b + c + d, 4);
  a = b = c = d = 0;
  EXPECT_EQ(in_a_task(both), JACKDAW_OK);
  EXPECT_EQ(a + b + c + d, 4);
}

TEST(c_invoke, refuses_no_function) {
  int a = 0;
  EXPECT_EQ(jackdaw_invoke(nullptr, nullptr, set, &a), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_invoke(set, &a, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(a, 0);
}

TEST(c_invoke, reports_what_a_branch_throws) {
  const auto both = [] {
    int a = 0;
    EXPECT_EQ(jackdaw_invoke(throw_in_branch, nullptr, set, &a), JACKDAW_ERROR_EXCEPTION);
    EXPECT_STREQ(jackdaw_last_error(), "jackdaw_invoke: of a branch");
    EXPECT_EQ(jackdaw_invoke(set, &a, throw_in_branch, nullptr), JACKDAW_ERROR_EXCEPTION);
  };
  both();
  EXPECT_EQ(in_a_task(both), JACKDAW_OK);
}

TEST(c_for, does_each_index_once) {
  for (const std::size_t grain : {0, 1, 7, 1000, 100000}) {
    std::vector<std::atomic<int>> done(5000);
    const auto block = [](int64_t begin, int64_t end, void* arg) {
      for (int64_t i = begin; i < end; ++i) ++static_cast<std::atomic<int>*>(arg)[i + 1000];
    };
    EXPECT_EQ(jackdaw_for(-1000, 4000, grain, block, done.data()), JACKDAW_OK);
    EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& each) { return each == 1; }));
    EXPECT_EQ(in_a_task([&] { EXPECT_EQ(jackdaw_for(-1000, 4000, grain, block, done.data()), JACKDAW_OK); }),
              JACKDAW_OK);
    EXPECT_TRUE(std::all_of(done.begin(), done.end(), [](const auto& each) { return each == 2; }));
  }
}

TEST(c_for, does_nothing_in_an_empty_range) {
  const auto block = [](int64_t, int64_t, void*) { FAIL(); };
  EXPECT_EQ(jackdaw_for(0, 0, 0, block, nullptr), JACKDAW_OK);
  EXPECT_EQ(jackdaw_for(5, -5, 0, block, nullptr), JACKDAW_OK);
  EXPECT_EQ(jackdaw_for(std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min(), 1, block, nullptr),
            JACKDAW_OK);
}

TEST(c_for, covers_the_largest_range) {
  std::atomic<std::uint64_t> length{0};
  const auto block = [](int64_t begin, int64_t end, void* arg) {
    *static_cast<std::atomic<std::uint64_t>*>(arg) +=
        static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  };
  EXPECT_EQ(jackdaw_for(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), 0, block, &length),
            JACKDAW_OK);
  EXPECT_EQ(length, std::numeric_limits<std::uint64_t>::max());
  length = 0;
  EXPECT_EQ(jackdaw_for(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                        std::numeric_limits<std::size_t>::max(), block, &length),
            JACKDAW_OK);
  EXPECT_EQ(length, std::numeric_limits<std::uint64_t>::max());
}

TEST(c_for, refuses_no_body_and_reports_exceptions) {
  EXPECT_EQ(jackdaw_for(0, 10, 0, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  const auto block = [](int64_t, int64_t, void*) { throw std::runtime_error("of a block"); };
  EXPECT_EQ(jackdaw_for(0, 1000, 10, block, nullptr), JACKDAW_ERROR_EXCEPTION);
  EXPECT_STREQ(jackdaw_last_error(), "jackdaw_for: of a block");
}

/// What a part of a text is: combined in order, and larger than what a partial result holds itself.
struct text {
  std::size_t length;
  char chars[120];
};
char letter(int64_t i) { return static_cast<char>('a' + i % 26); }
void append(int64_t begin, int64_t end, void* partial, void* /*arg*/) {
  auto& into = *static_cast<text*>(partial);
  for (int64_t i = begin; i < end; ++i) into.chars[into.length++] = letter(i);
}
void join(void* left, const void* right, void* /*arg*/) {
  auto& into = *static_cast<text*>(left);
  const auto& from = *static_cast<const text*>(right);
  std::memcpy(into.chars + into.length, from.chars, from.length);
  into.length += from.length;
}

TEST(c_reduce, combines_in_order) {
  for (const std::size_t grain : {0, 1, 3, 1000}) {
    const auto reduced = [grain] {
      const text nothing{};
      text all{};
      ASSERT_EQ(jackdaw_reduce(0, 100, grain, sizeof all, &nothing, append, join, nullptr, &all), JACKDAW_OK);
      ASSERT_EQ(all.length, 100u);
      for (int64_t i = 0; i < 100; ++i) ASSERT_EQ(all.chars[i], letter(i));
    };
    reduced();
    EXPECT_EQ(in_a_task(reduced), JACKDAW_OK);
  }
}

void add_up(int64_t begin, int64_t end, void* partial, void* arg) {
  for (int64_t i = begin; i < end; ++i) *static_cast<double*>(partial) += static_cast<const double*>(arg)[i];
}
void add_two(void* left, const void* right, void* /*arg*/) {
  *static_cast<double*>(left) += *static_cast<const double*>(right);
}

TEST(c_reduce, gives_the_same_bits_each_time) {
  std::vector<double> xs(100000);
  std::mt19937_64 random(1);
  for (double& x : xs) x = std::uniform_real_distribution<double>(0, 1)(random);
  const double zero = 0;
  double first = 0;
  ASSERT_EQ(jackdaw_reduce(0, 100000, 0, sizeof zero, &zero, add_up, add_two, xs.data(), &first), JACKDAW_OK);
  for (int i = 0; i < 10; ++i) {
    double again = -1;
    ASSERT_EQ(jackdaw_reduce(0, 100000, 0, sizeof zero, &zero, add_up, add_two, xs.data(), &again), JACKDAW_OK);
    EXPECT_EQ(first, again);
  }
  double serial = 0;
  add_up(0, 100000, &serial, xs.data());
  EXPECT_NEAR(first, serial, 1e-6);
}

TEST(c_reduce, of_nothing_is_the_identity) {
  const double seven = 7;
  double sum = 0;
  EXPECT_EQ(jackdaw_reduce(3, 3, 0, sizeof sum, &seven, add_up, add_two, nullptr, &sum), JACKDAW_OK);
  EXPECT_EQ(sum, 7);
}

TEST(c_reduce, refuses_what_it_cannot_use) {
  double zero = 0, sum = 5;
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, 0, &zero, add_up, add_two, nullptr, &sum), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, 8, nullptr, add_up, add_two, nullptr, &sum), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, 8, &zero, nullptr, add_two, nullptr, &sum), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, 8, &zero, add_up, nullptr, nullptr, &sum), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, 8, &zero, add_up, add_two, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(sum, 5);
}

#if !defined(JACKDAW_SANITIZED)  // sanitizers end the program for such a request
TEST(c_reduce, reports_that_there_is_no_memory) {
  double zero = 0, sum = 5;
  const std::size_t much = std::numeric_limits<std::size_t>::max() / 4;
  EXPECT_EQ(jackdaw_reduce(0, 9, 0, much, &zero, add_up, add_two, nullptr, &sum), JACKDAW_ERROR_NO_MEMORY);
  EXPECT_TRUE(said("jackdaw_reduce: there is no memory"));
  EXPECT_EQ(sum, 5);
}
#endif

/// An element of `Size` bytes: a key in its first two, and where it was in the next two.
template <std::size_t Size>
struct record {
  std::uint16_t key, at;
  unsigned char rest[Size - 4];
};
template <>
struct record<4> {
  std::uint16_t key, at;
};

template <std::size_t Size>
int by_key(const void* a, const void* b) {
  return int{static_cast<const record<Size>*>(a)->key} - int{static_cast<const record<Size>*>(b)->key};
}
template <std::size_t Size>
int by_key_counting(const void* a, const void* b, void* calls) {
  ++*static_cast<std::atomic<long>*>(calls);
  return by_key<Size>(a, b);
}

template <std::size_t Size>
void sort_both_ways(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<record<Size>> some(count);
  for (std::size_t i = 0; i < count; ++i) {
    some[i].key = static_cast<std::uint16_t>(random() % (count / 4 + 1));
    some[i].at = static_cast<std::uint16_t>(i);
  }
  auto sorted = some, stable = some, expected = some;
  if (count > 0) std::qsort(expected.data(), count, Size, by_key<Size>);
  ASSERT_EQ(jackdaw_sort(sorted.data(), count, Size, by_key<Size>), JACKDAW_OK);
  std::vector<int> seen(count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(sorted[i].key, expected[i].key);
    ++seen[sorted[i].at];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
  std::atomic<long> calls{0};
  ASSERT_EQ(jackdaw_stable_sort(stable.data(), count, Size, by_key_counting<Size>, &calls), JACKDAW_OK);
  for (std::size_t i = 1; i < count; ++i) {
    ASSERT_LE(stable[i - 1].key, stable[i].key);
    if (stable[i - 1].key == stable[i].key) {
      ASSERT_LT(stable[i - 1].at, stable[i].at);
    }
  }
  EXPECT_EQ(calls > 0, count > 1);
}

TEST(c_sort, sorts_as_qsort_does) {
  for (const std::size_t count : {0, 1, 2, 100, 20000}) {
    sort_both_ways<4>(count);
    sort_both_ways<6>(count);
    sort_both_ways<8>(count);
    sort_both_ways<16>(count);
    sort_both_ways<40>(count);
  }
  EXPECT_EQ(in_a_task([] { sort_both_ways<8>(20000); }), JACKDAW_OK);
}

TEST(c_sort, refuses_what_it_cannot_use) {
  int some[2] = {2, 1};
  EXPECT_EQ(jackdaw_sort(nullptr, 0, 4, by_key<4>), JACKDAW_OK);
  EXPECT_EQ(jackdaw_sort(nullptr, 2, 4, by_key<4>), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_sort(some, 2, 0, by_key<4>), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_sort(some, 2, 4, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_sort_with(some, 2, 4, nullptr, nullptr), JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(jackdaw_stable_sort(some, std::numeric_limits<std::size_t>::max(), 4, by_key_counting<4>, nullptr),
            JACKDAW_ERROR_ARGUMENT);
  EXPECT_EQ(some[0], 2);
  const auto comparison = [](const void*, const void*, void*) -> int { throw std::runtime_error("of a comparison"); };
  EXPECT_EQ(jackdaw_sort_with(some, 2, 4, comparison, nullptr), JACKDAW_ERROR_EXCEPTION);
  EXPECT_TRUE(said("jackdaw_sort_with: of a comparison"));
}

}  // namespace
