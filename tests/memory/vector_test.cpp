#include "jackdaw/memory/placed_vector.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "jackdaw/error.hpp"
#include "jackdaw/memory.hpp"
#include "jackdaw/runtime.hpp"
#include "memory/counted.hpp"

namespace jackdaw {
namespace {

using test::counted;

static_assert(std::ranges::contiguous_range<placed_vector<double>>);

TEST(placed_vector, grows_and_keeps_its_placement) {
  placed_vector<int> numbers(placement::interleave());
  EXPECT_TRUE(numbers.empty());
  for (int i = 0; i < 300000; ++i) numbers.push_back(i);
  EXPECT_EQ(numbers.size(), 300000u);
  for (int i = 0; i < 300000; ++i) ASSERT_EQ(numbers[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(numbers.policy(), placement::interleave());
  ASSERT_EQ(numbers.report().pieces.size(), 1u);
  EXPECT_FALSE(numbers.report().pieces[0].nodes.empty());
  numbers.shrink_to_fit();
  EXPECT_EQ(numbers.capacity(), 300000u);
  EXPECT_EQ(numbers.back(), 299999);
  EXPECT_FALSE(numbers.report().pieces[0].nodes.empty());
}

TEST(placed_vector, resizes_with_zeros_over_former_elements) {
  placed_vector<long> numbers(1000);
  EXPECT_EQ(numbers.capacity(), 1000u);
  for (long& each : numbers) each = 5;
  numbers.resize(10);
  numbers.resize(500);
  EXPECT_EQ(numbers[9], 5);
  EXPECT_EQ(numbers[10], 0);
  EXPECT_EQ(numbers[499], 0);
  numbers.pop_back();
  numbers[498] = 6;
  numbers.pop_back();
  numbers.resize(499);
  EXPECT_EQ(numbers[498], 0);
  numbers.resize(20000, numbers[0]);
  EXPECT_EQ(numbers[498], 0);
  EXPECT_EQ(numbers[19999], 5);
  numbers.clear();
  numbers.resize(3);
  EXPECT_EQ(numbers[0], 0);
  EXPECT_THROW(numbers.at(3), std::out_of_range);
  EXPECT_EQ(numbers.at(2), 0);
}

TEST(placed_vector, resizes_with_zeros_after_a_constructor_threw) {
  struct refuses_negatives {
    int value;
    refuses_negatives() = default;
    explicit refuses_negatives(int of) : value(of) {
      if (of < 0) throw std::runtime_error("negative");
    }
  };
  placed_vector<refuses_negatives> vector;
  vector.reserve(100);
  vector.emplace_back(1);
  EXPECT_THROW(vector.emplace_back(-2), std::runtime_error);
  vector.resize(50);
  ASSERT_EQ(vector.size(), 50u);
  for (std::size_t i = 1; i < 50; ++i) EXPECT_EQ(vector[i].value, 0) << i;
}

TEST(placed_vector, takes_its_own_element_while_it_grows) {
  placed_vector<counted> texts;
  texts.emplace_back(1);
  while (texts.size() < texts.capacity()) texts.emplace_back(2);
  texts.push_back(texts.front());
  EXPECT_EQ(texts.back().text, test::text_of(1));
  EXPECT_EQ(texts.front().text, test::text_of(1));
  texts.clear();
  EXPECT_EQ(counted::alive, 0);
}

TEST(placed_vector, is_unchanged_after_a_failed_growth) {
  {
    placed_vector<counted> texts(100);
    texts[50].text = "mine";
    for (const int well : {0, 1, 60, 120}) {
      counted::until_throw = well;
      EXPECT_THROW(texts.resize(200), std::runtime_error);
      counted::until_throw = -1;
      EXPECT_EQ(texts.size(), 100u);
      EXPECT_EQ(counted::alive, 100);
      EXPECT_EQ(texts[50].text, "mine");
    }
    for (const int well : {0, 1, 60}) {
      counted::until_throw = well;
      EXPECT_THROW(texts.emplace_back(), std::runtime_error);
      counted::until_throw = -1;
      EXPECT_EQ(counted::alive, 100);
    }
    counted::until_throw = 3;
    EXPECT_THROW(texts.reserve(1000), std::runtime_error);
    counted::until_throw = -1;
    EXPECT_EQ(texts.capacity(), 100u);
    EXPECT_EQ(texts[50].text, "mine");
  }
  EXPECT_EQ(counted::alive, 0);
}

TEST(placed_vector, holds_move_only_elements) {
  placed_vector<std::unique_ptr<int>> owners(10);
  owners[3] = std::make_unique<int>(4);
  owners.resize(100000);
  EXPECT_EQ(*owners[3], 4);
  EXPECT_EQ(owners[99999], nullptr);
  owners.emplace_back(std::make_unique<int>(5));
  EXPECT_EQ(*owners.back(), 5);
}

TEST(placed_vector, copies_to_another_placement) {
  placed_vector<std::string> texts(1000, "one");
  texts[7] = "seven";
  const placed_vector<std::string> copy(texts, placement::interleave());
  EXPECT_EQ(copy.policy(), placement::interleave());
  EXPECT_EQ(copy[7], "seven");
  EXPECT_EQ(copy[999], "one");
  placed_vector<std::string> same(texts);
  EXPECT_EQ(same.policy(), placement());
  same = copy;
  EXPECT_EQ(same.policy(), placement::interleave());
  EXPECT_EQ(same.size(), 1000u);
  const placed_vector<std::string> none(placed_vector<std::string>(), placement::interleave());
  EXPECT_TRUE(none.empty());
}

TEST(placed_vector, refuses_sizes_beyond_the_address_space) {
  placed_vector<double> numbers(3, 1.5);
  EXPECT_THROW(numbers.resize(SIZE_MAX / 8), error);
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_EQ(numbers[2], 1.5);
}

}  // namespace
}  // namespace jackdaw
