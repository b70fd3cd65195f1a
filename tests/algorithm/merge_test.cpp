#include "jackdaw/algorithm/merge.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/set_operations.hpp"
#include "jackdaw/error.hpp"

namespace {

using jackdaw::grain;
using jackdaw::work_of;

class merge_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(merge_test);

const std::vector<std::size_t> sizes_of_merge = {0, 1, 2, 5, 100, 3000};
const std::vector<std::size_t> grains_of_merge = {0, 1, 2, 63, 1000, std::numeric_limits<std::size_t>::max()};

/// A key, and where the element comes from.
using tagged = std::pair<std::uint64_t, std::size_t>;
const auto by_key = [](const tagged& a, const tagged& b) { return a.first < b.first; };

std::vector<tagged> sorted_keys(std::size_t count, std::uint64_t values, std::size_t tag) {
  std::vector<tagged> all(count);
  jackdaw::testing::numbers random(count + values + tag);
  for (auto& [key, from] : all) key = random() % values;
  std::sort(all.begin(), all.end());
  for (auto& [key, from] : all) from = tag++;
  return all;
}

template <class Visit>
void for_pairs_of_ranges(const Visit& visit) {
  for (const std::size_t size1 : sizes_of_merge)
    for (const std::size_t size2 : sizes_of_merge)
      for (const std::uint64_t values : {1, 4, 1000000})
        visit(sorted_keys(size1, values, 0), sorted_keys(size2, values, 1'000'000));
}

TEST_P(merge_test, is_stable_as_std) {
  run([&] {
    for_pairs_of_ranges([](const std::vector<tagged>& a, const std::vector<tagged>& b) {
      std::vector<tagged> expected;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), by_key);
      for (const std::size_t size : grains_of_merge) {
        std::vector<tagged> out(expected.size());
        EXPECT_EQ(jackdaw::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin(), by_key, grain{size}), out.end());
        EXPECT_EQ(out, expected) << a.size() << " and " << b.size() << ", grain " << size;
      }
    });
  });
}

TEST_P(merge_test, of_words_and_numbers_with_weights) {
  run([&] {
    std::deque<std::string> words;
    std::vector<int> lengths;
    for (int i = 0; i != 500; ++i) words.push_back(std::string(std::size_t(i) / 10, 'x'));
    for (int i = 0; i != 700; ++i) lengths.push_back(i / 7);
    std::vector<std::string> out(1200);
    const auto text = [](int length) { return std::string(std::size_t(length), 'x'); };
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    std::vector<std::string> texts(700);
    std::transform(lengths.begin(), lengths.end(), texts.begin(), text);
    const auto length = [](const std::string& s) { return s.size(); };
    jackdaw::merge(words, texts, out.begin(), {}, length, length, work_of{weigh}, grain{9});
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    out.resize(700);
    const auto end = jackdaw::set_difference(texts, words, out.begin(), {}, length, length, grain{9});
    EXPECT_EQ(end - out.begin(), 350) << "all of 50 and more: words have ten of each length below, texts seven";
  });
}

/// The set operations on the same ranges, which have equal elements at both sides of any boundary.
template <class Ours, class Standards>
void expect_as_std(const Ours& ours, const Standards& standards) {
  for_pairs_of_ranges([&](const std::vector<tagged>& a, const std::vector<tagged>& b) {
    std::vector<tagged> expected;
    standards(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), by_key);
    for (const std::size_t size : grains_of_merge) {
      std::vector<tagged> out(expected.size());  // room for exactly the result
      EXPECT_EQ(ours(a.begin(), a.end(), b.begin(), b.end(), out.begin(), by_key, grain{size}), out.end());
      EXPECT_EQ(out, expected) << a.size() << " and " << b.size() << ", grain " << size;
    }
  });
}

/// A key, and where the element comes from; unlike a pair, it is stepped over without branches.
struct plain {
  std::uint64_t key;
  std::size_t from;
  bool operator==(const plain&) const = default;
};
static_assert(jackdaw::detail::steps_branchless<std::vector<plain>::iterator, const plain*>);
static_assert(!jackdaw::detail::steps_branchless<std::vector<tagged>::iterator, const tagged*>);
static_assert(!jackdaw::detail::steps_branchless<std::vector<int>::iterator, std::vector<long>::iterator>);

/// The set operations on elements that are stepped over without branches, into an output of which only the room for the
/// result may be touched.
template <class Ours, class Standards>
void expect_plain_as_std(const Ours& ours, const Standards& standards) {
  const auto less = [](const plain& x, const plain& y) { return x.key < y.key; };
  const auto plains = [](const std::vector<tagged>& from) {
    std::vector<plain> all;
    for (const auto& [key, tag] : from) all.push_back({key, tag});
    return all;
  };
  for_pairs_of_ranges([&](const std::vector<tagged>& tagged1, const std::vector<tagged>& tagged2) {
    const std::vector<plain> a = plains(tagged1), b = plains(tagged2);
    std::vector<plain> expected;
    standards(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), less);
    for (const std::size_t size : grains_of_merge) {
      const plain untouched{99, 99};
      std::vector<plain> out(expected.size() + 1, untouched);
      EXPECT_EQ(ours(a.begin(), a.end(), b.begin(), b.end(), out.begin(), less, grain{size}), out.end() - 1);
      EXPECT_EQ(out.back(), untouched);
      out.pop_back();
      EXPECT_EQ(out, expected) << a.size() << " and " << b.size() << ", grain " << size;
    }
  });
}

#define JACKDAW_AS_STD(name)                                                      \
  TEST_P(merge_test, name##_as_std) {                                             \
    run([&] {                                                                     \
      const auto ours = [](auto... all) { return jackdaw::set_##name(all...); };  \
      const auto standards = [](auto... all) { return std::set_##name(all...); }; \
      expect_as_std(ours, standards);                                             \
      expect_plain_as_std(ours, standards);                                       \
    });                                                                           \
  }
JACKDAW_AS_STD(union)
JACKDAW_AS_STD(intersection)
JACKDAW_AS_STD(difference)
JACKDAW_AS_STD(symmetric_difference)
#undef JACKDAW_AS_STD

TEST_P(merge_test, includes_as_std) {
  run([&] {
    for_pairs_of_ranges([](const std::vector<tagged>& a, const std::vector<tagged>& b) {
      std::vector<tagged> both, every_third;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both), by_key);
      for (std::size_t i = 0; i < both.size(); i += 3) every_third.push_back(both[i]);
      for (const std::size_t size : grains_of_merge) {
        EXPECT_EQ(jackdaw::includes(a.begin(), a.end(), b.begin(), b.end(), by_key, grain{size}),
                  std::includes(a.begin(), a.end(), b.begin(), b.end(), by_key));
        EXPECT_TRUE(jackdaw::includes(both, every_third, by_key, grain{size}));
        EXPECT_EQ(jackdaw::includes(every_third, both, by_key, grain{size}), both.size() == every_third.size());
      }
    });
  });
}

/// Where comparisons cost most, they are not made twice.
TEST_P(merge_test, set_operations_compare_as_often_on_any_number_of_workers) {
  run([&] {
    const std::vector<tagged> a = sorted_keys(2000, 500, 0), b = sorted_keys(3000, 500, 1);
    std::vector<tagged> out(5000);
    std::atomic<std::size_t> calls = 0;
    const auto counting = [&](const tagged& x, const tagged& y) {
      ++calls;
      return x.first < y.first;
    };
    jackdaw::set_union(a, b, out.begin(), counting, grain{500});
    const std::size_t blocks = 10, for_places = 2 * 2 * 2 * 13;  // both ends, in two sweeps, by two binary searches
    EXPECT_LE(calls, 2 * (a.size() + b.size()) + blocks * for_places);
  });
}

TEST_P(merge_test, an_exception_reaches_the_caller) {
  run([&] {
    const std::vector<tagged> a = sorted_keys(2000, 500, 0), b = sorted_keys(3000, 500, 1);
    std::vector<tagged> out(5000);
    for (const std::size_t size : grains_of_merge) {
      std::atomic<int> left = 1500;
      const auto bad = [&](const tagged& x, const tagged& y) {
        return --left == 0 ? throw std::runtime_error("now") : x.first < y.first;
      };
      EXPECT_THROW(jackdaw::merge(a, b, out.begin(), bad, grain{size}), std::runtime_error);
      left = 1500;
      EXPECT_THROW(jackdaw::set_union(a, b, out.begin(), bad, grain{size}), std::runtime_error);
    }
  });
}

TEST_P(merge_test, an_order_that_contradicts_itself_stays_within_the_ranges) {
  run([&] {
    const std::vector<tagged> a = sorted_keys(1000, 500, 0), b = sorted_keys(1500, 500, 1);
    std::vector<tagged> out(2500);
    const auto coin = [](const tagged& x, const tagged& y) { return (x.first * 31 + y.second * 17) % 3 == 0; };
    const auto slow_coin = [&](const tagged& x, const tagged& y) {  // so that the leaf pauses at many places
      std::this_thread::sleep_for(std::chrono::microseconds(1));
      return coin(x, y);
    };
    EXPECT_EQ(jackdaw::merge(a, b, out.begin(), coin, grain{2500}), out.end());
    EXPECT_EQ(jackdaw::merge(a, b, out.begin(), slow_coin, grain{2500}), out.end());
    for (const std::size_t size : {1, 10, 100, 1000}) {  // whether it is noticed depends on where the leaves begin
      try {
        EXPECT_EQ(jackdaw::merge(a, b, out.begin(), coin, grain{size}), out.end());
        EXPECT_LE(jackdaw::set_union(a, b, out.begin(), coin, grain{size}), out.end());
      } catch (const jackdaw::error&) {
      }
    }
  });
}

}  // namespace
