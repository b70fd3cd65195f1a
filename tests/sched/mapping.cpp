// What ADWS promises of a real run: the same leaf on the same worker, again and again.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "jackdaw/detail/sanitizers.hpp"
#include "jackdaw/jackdaw.hpp"

namespace {

/// Workers of the leaves of an even binary tree, in serial order.
std::vector<unsigned> map_leaves(jackdaw::runtime& rt, std::size_t leaves, bool groups, unsigned spin) {
  std::vector<unsigned> worker(leaves);
  struct walk {
    std::vector<unsigned>& worker;
    bool groups;
    unsigned spin;
    void operator()(std::size_t begin, std::size_t end) const {
      if (end - begin == 1) {
        for (volatile unsigned left = spin; left > 0;) {
          left = left - 1;
        }
        worker[begin] = jackdaw::this_worker().value();
        return;
      }
      const std::size_t middle = begin + (end - begin) / 2;
      if (groups) {
        jackdaw::task_group group(2);
        group.run([this, begin, middle] { (*this)(begin, middle); }, 1);
        group.run([this, middle, end] { (*this)(middle, end); }, 1);
        group.wait();
      } else {
        jackdaw::invoke([&] { (*this)(begin, middle); }, [&] { (*this)(middle, end); });
      }
    }
  };
  rt.run([&] { walk{worker, groups, spin}(0, leaves); });
  return worker;
}

class mapping : public testing::TestWithParam<std::tuple<unsigned, bool>> {};

TEST_P(mapping, without_steals_is_the_same_in_every_run_in_contiguous_reversed_blocks) {
  const auto [workers, groups] = GetParam();
  constexpr std::size_t leaves = 1024;
  jackdaw::runtime rt({.scheduler = "adws:no-steal", .workers = workers});
  std::vector<unsigned> expected(leaves);
  for (std::size_t i = 0; i < leaves; ++i) {
    // A leaf that a worker's boundary cuts belongs to the worker at the right end.
    expected[i] = static_cast<unsigned>((leaves - 1 - i) * workers / leaves);
  }
  for (int run = 0; run < 20; ++run) {
    ASSERT_EQ(map_leaves(rt, leaves, groups, 0), expected) << "run " << run;
  }
}

INSTANTIATE_TEST_SUITE_P(all, mapping, testing::Combine(testing::Values(1u, 2u, 3u, 4u, 7u, 8u, 16u), testing::Bool()));

#if !defined(JACKDAW_ASAN) && !defined(JACKDAW_TSAN)
// Under a sanitizer handing out the tasks takes as long as running them.
TEST(mapping_with_steals, leaves_nearly_all_leaves_of_an_even_tree_where_they_belong) {
  constexpr std::size_t leaves = 4096;
  jackdaw::runtime rt({.scheduler = "adws", .workers = 2});
  // Other programs may take a processor away for a while, and then stealing is right: what counts is the quarter of the
  // runs that was disturbed least.
  constexpr std::size_t runs = 100;
  std::vector<double> kept;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<unsigned> found = map_leaves(rt, leaves, false, 1000);
    std::size_t right = 0;
    for (std::size_t i = 0; i < leaves; ++i) {
      right += found[i] == (i < leaves / 2 ? 1u : 0u) ? 1 : 0;
    }
    kept.push_back(static_cast<double>(right) / static_cast<double>(leaves));
  }
  std::sort(kept.begin(), kept.end());
  EXPECT_GE(kept[runs * 3 / 4], 0.99);
}
#endif

}  // namespace
