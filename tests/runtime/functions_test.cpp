// Calls that take a function also take its name, and function objects with more alignment than new provides.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory.hpp"

namespace {

std::atomic<int> calls{0};

long left() { return 1; }
long right() { return 2; }
int& itself() {
  static int only = 0;
  return only;
}
void count() { ++calls; }
void count_each(std::size_t) { ++calls; }
bool more(int a, int b) { return a > b; }
double weight(std::size_t from, std::size_t to) { return static_cast<double>(to - from); }

TEST(names_of_functions, may_be_branches) {
  EXPECT_EQ(jackdaw::invoke(left, right), std::tuple(1, 2));
  EXPECT_EQ(std::get<1>(jackdaw::invoke(&left, right)), 2);
  EXPECT_EQ(&std::get<0>(jackdaw::invoke(itself, left)), &itself());
  calls = 0;
  jackdaw::invoke(jackdaw::work(2, count), jackdaw::work(1, count));
  std::vector<int> range(1);
  jackdaw::invoke(jackdaw::near(range, count), jackdaw::keep_rounding(count));
  EXPECT_EQ(calls.load(), 4);
}

TEST(names_of_functions, may_be_roots_and_children) {
  jackdaw::runtime rt({.workers = 2});
  EXPECT_EQ(rt.run(left), 1);
  calls = 0;
  jackdaw::task_group group;
  group.run(count);
  group.run(&count);
  group.inter_spawn(count);
  group.wait();
  EXPECT_EQ(calls.load(), 3);
}

TEST(names_of_functions, may_be_bodies_and_comparisons) {
  calls = 0;
  jackdaw::for_index(std::size_t{0}, std::size_t{100}, count_each);
  jackdaw::for_index(std::size_t{0}, std::size_t{100}, count_each, jackdaw::work_of(weight));
  EXPECT_EQ(calls.load(), 200);
  std::vector<int> values{3, 1, 2};
  jackdaw::sort(values.begin(), values.end(), more);
  EXPECT_EQ(values, (std::vector<int>{3, 2, 1}));
  jackdaw::stable_sort(values.begin(), values.end(), more);
  EXPECT_EQ(values, (std::vector<int>{3, 2, 1}));
}

template <std::size_t Alignment>
struct alignas(Alignment) aligned {
  bool right() const { return reinterpret_cast<std::uintptr_t>(this) % Alignment == 0 && value == 7; }
  int value = 7;
};

template <class T>
class over_aligned : public testing::Test {};
using alignments = testing::Types<aligned<32>, aligned<64>, aligned<128>, aligned<4096>>;
TYPED_TEST_SUITE(over_aligned, alignments);

TYPED_TEST(over_aligned, functions_stay_so) {
  const TypeParam held;
  std::atomic<int> wrong{0};
  const auto look = [&wrong, held] { wrong += held.right() ? 0 : 1; };
  jackdaw::options two;
  two.workers = 2;
  jackdaw::runtime rt(two);
  const auto everything = [&] {
    for (const auto order : {jackdaw::policy::work_first, jackdaw::policy::help_first}) {
      jackdaw::task_group group(order);
      for (int i = 0; i < 20; ++i) group.run(look);
      group.inter_spawn(look);
      group.wait();
    }
    jackdaw::invoke(look, [look] { look(); }, look);
    jackdaw::for_index(0, 20, [look](int) { look(); }, jackdaw::grain{1});
  };
  everything();
  rt.run(everything);
  rt.run([look] { look(); });
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
