#include "jackdaw/algorithm/parts.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <forward_list>
#include <limits>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/on_workers.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "support/error_of.hpp"

namespace {

using jackdaw::block;
using jackdaw::grain;
using jackdaw::work_of;

class parts_test : public jackdaw::testing::on_workers {};
JACKDAW_ON_WORKERS(parts_test);

/// A tree of nodes in a vector, children behind parents: a part is a subtree, or a node alone.
struct subtree {
  const std::vector<std::vector<std::size_t>>* children;
  std::vector<std::size_t> roots;
  bool divisible() const { return roots.size() > 1; }
  subtree split() {
    subtree second{children, {}};
    second.roots.assign(roots.begin() + std::ptrdiff_t(roots.size() / 2), roots.end());
    roots.resize(roots.size() / 2);
    return second;
  }
};
static_assert(jackdaw::splittable<subtree>);

/// Halves an interval of which nothing can be copied, and tells its work.
struct interval {
  std::size_t first, last;
  std::atomic<int>* asked;
  interval(std::size_t f, std::size_t l, std::atomic<int>* a) : first(f), last(l), asked(a) {}
  interval(interval&&) = default;
  interval& operator=(interval&&) = default;
  bool divisible() const { return last - first > 3; }
  interval split() {
    const std::size_t middle = first + (last - first) / 3;
    interval second(middle, last, asked);
    last = middle;
    return second;
  }
  double work() const { return ++*asked, double(last - first); }
};

TEST_P(parts_test, halves_what_the_user_can_halve) {
  run([&] {
    const std::vector<std::vector<std::size_t>> none;
    std::vector<std::size_t> roots(999);
    for (std::size_t i = 0; i != roots.size(); ++i) roots[i] = i;
    std::vector<std::atomic<int>> seen(999);
    jackdaw::for_parts(subtree{&none, roots}, [&](const subtree& part) {
      ASSERT_EQ(part.roots.size(), 1u);
      ++seen[part.roots.front()];
    });
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n == 1; }));
    std::atomic<int> asked = 0;
    std::atomic<std::size_t> sum = 0;
    jackdaw::for_parts(interval(0, 1000, &asked), [&](const interval& part) {
      for (std::size_t i = part.first; i != part.last; ++i) sum += i;
    });
    EXPECT_EQ(sum, 999u * 1000 / 2);
    EXPECT_GT(asked, 0);
  });
}

TEST_P(parts_test, an_exception_of_a_part_reaches_the_caller) {
  run([&] {
    std::atomic<int> asked = 0;
    const auto bad = [](const interval& part) {
      if (part.first <= 700 && 700 < part.last) throw std::runtime_error("700");
    };
    EXPECT_THROW(jackdaw::for_parts(interval(0, 1000, &asked), bad), std::runtime_error);
  });
}

template <std::size_t D>
void expect_each_point_once(const block<D>& all, const std::array<std::size_t, D>& most) {
  std::vector<std::atomic<int>> seen(all.points());
  jackdaw::for_blocks(all, most, [&](const block<D>& part) {
    EXPECT_GT(part.points(), 0u);
    std::array<std::size_t, D> at = part.first;
    for (std::size_t left = part.points(); left != 0; --left) {
      std::size_t place = 0;
      for (std::size_t d = 0; d != D; ++d) {
        ASSERT_LE(part.size(d), most[d]);
        place = place * all.size(d) + (at[d] - all.first[d]);
      }
      ++seen[place];
      for (std::size_t d = D; d-- != 0;) {
        if (++at[d] != part.last[d]) break;
        at[d] = part.first[d];
      }
    }
  });
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n == 1; }));
}

TEST_P(parts_test, blocks_hold_each_point_once) {
  run([&] {
    for (const std::size_t rows : {1, 7, 64, 100})
      for (const std::size_t columns : {1, 5, 300})
        for (const std::size_t size : {std::size_t{1}, std::size_t{8}, std::numeric_limits<std::size_t>::max()})
          expect_each_point_once(block<2>{.last = {rows, columns}}, {size, 16});
    expect_each_point_once(block<1>{{5}, {1000}}, {7});
    expect_each_point_once(block<3>{{1, 2, 3}, {20, 31, 17}}, {4, 4, 4});
  });
}

TEST_P(parts_test, no_blocks_of_nothing) {
  run([&] {
    const auto never = [](const block<2>&) { ADD_FAILURE(); };
    jackdaw::for_blocks(block<2>{.last = {0, 10}}, {4, 4}, never);
    jackdaw::for_blocks(block<2>{{10, 0}, {5, 10}}, {4, 4}, never);
    EXPECT_EQ(jackdaw::error_of([&] { jackdaw::for_blocks(block<2>{.last = {10, 10}}, {4, 0}, never); }),
              "for_blocks: a block of size 0, expected at least 1");
  });
}

TEST(for_blocks, cuts_the_longest_side_first_between_whole_blocks) {
  jackdaw::options alone;
  alone.workers = 1;
  alone.pin = false;
  jackdaw::runtime(alone).run([] {
    std::vector<block<2>> parts;
    jackdaw::for_blocks(block<2>{.last = {10, 30}}, {8, 8}, [&](const block<2>& part) { parts.push_back(part); });
    const std::vector<block<2>> expected = {{{0, 0}, {8, 8}},    {{0, 8}, {8, 16}},  {{8, 0}, {10, 8}},
                                            {{8, 8}, {10, 16}},  {{0, 16}, {8, 24}}, {{0, 24}, {8, 30}},
                                            {{8, 16}, {10, 24}}, {{8, 24}, {10, 30}}};
    ASSERT_EQ(parts.size(), expected.size());
    EXPECT_TRUE(std::is_permutation(parts.begin(), parts.end(), expected.begin()));
    EXPECT_EQ(parts.front(), expected.front());
  });
}

TEST_P(parts_test, visits_each_node_of_a_list_once) {
  run([&] {
    for (const std::size_t count : {0, 1, 2, 3, 100, 1023, 1024, 1025, 5000, 50000}) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000},
                                     std::numeric_limits<std::size_t>::max()}) {
        std::forward_list<std::size_t> list(count, 0);
        jackdaw::for_each(list, [](std::size_t& each) { ++each; }, grain{size});
        jackdaw::for_each(list.begin(), list.end(), [](std::size_t& each) { each += 10; });
        EXPECT_EQ(std::count(list.begin(), list.end(), 11u), std::ptrdiff_t(count)) << size;
      }
    }
    std::map<int, std::string> names;
    for (int i = 0; i != 3000; ++i) names[i] = "";
    const auto weigh = [](std::size_t first, std::size_t last) { return double(last * last - first * first); };
    jackdaw::for_each(names, [](auto& each) { each.second = std::to_string(each.first); }, work_of{weigh});
    for (const auto& [number, name] : names) ASSERT_EQ(name, std::to_string(number));
  });
}

TEST_P(parts_test, leaves_of_a_list_are_of_the_grain) {
  run([&] {
    std::list<int> list(1234, 0);
    std::atomic<bool> odd = false;
    const auto weigh = [&](std::size_t first, std::size_t last) {
      if (first % 10 != 0 || (last % 10 != 0 && last != 1234)) odd = true;
      return double(last - first);
    };
    jackdaw::for_each(list, [](int& each) { ++each; }, grain{10}, work_of{weigh});
    EXPECT_FALSE(odd);
    EXPECT_EQ(std::count(list.begin(), list.end(), 1), 1234);
  });
}

TEST_P(parts_test, an_exception_of_a_node_reaches_the_caller) {
  run([&] {
    std::list<int> list(1000, 0);
    list.back() = 1;
    const auto bad = [](int each) { each == 1 ? throw std::runtime_error("1") : void(); };
    EXPECT_THROW(jackdaw::for_each(list, bad), std::runtime_error);
    EXPECT_THROW(jackdaw::for_each(list, bad, grain{3}), std::runtime_error);
  });
}

}  // namespace
