// What ADWS promises of a real run without steals: the same leaf on the same worker, again and again. With steals, see
// tests/sim/adws_test.cpp.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

/// Workers of the leaves of an even binary tree, in serial order.
std::vector<unsigned> map_leaves(jackdaw::runtime& rt, std::size_t leaves, bool groups) {
  std::vector<unsigned> worker(leaves);
  struct walk {
    std::vector<unsigned>& worker;
    bool groups;
    void operator()(std::size_t begin, std::size_t end) const {
      if (end - begin == 1) {
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
  rt.run([&] { walk{worker, groups}(0, leaves); });
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
    ASSERT_EQ(map_leaves(rt, leaves, groups), expected) << "run " << run;
  }
}

INSTANTIATE_TEST_SUITE_P(all, mapping, testing::Combine(testing::Values(1u, 2u, 3u, 4u, 7u, 8u, 16u), testing::Bool()));

}  // namespace
