#include "kernels/common/row_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "trace/recorded.hpp"

namespace jackdaw::kernels {

void PrintTo(const row_tree& tree, std::ostream* out) {
  *out << (tree.shape == row_shape::regular     ? "regular"
           : tree.shape == row_shape::irregular ? "irregular"
           : tree.shape == row_shape::changing  ? "changing"
                                                : "marked")
       << ", at most " << tree.cutoff << " rows";
}

namespace {

using rows = std::pair<std::size_t, std::size_t>;

/// The leaves in serial order, as recorded with one worker, and the tree that forked them.
std::pair<std::vector<rows>, trace::task_tree> divided(const row_tree& tree, std::size_t first, std::size_t last) {
  std::vector<rows> leaves;
  trace::task_tree forks = test::recorded(
      [&] { tree.visit(first, last, [&](std::size_t top, std::size_t bottom) { leaves.emplace_back(top, bottom); }); });
  return {leaves, forks};
}

class row_tree_test : public testing::TestWithParam<row_tree> {};

TEST_P(row_tree_test, leaves_are_every_row_once_in_order_and_none_is_too_long) {
  const row_tree tree = GetParam();
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, tree.cutoff,
                                  tree.cutoff + 1, 2 * tree.cutoff, 2 * tree.cutoff + 1, 3 * tree.cutoff + 1,
                                  std::size_t{97}, std::size_t{128}, std::size_t{509}, std::size_t{1024}}) {
    const std::size_t first = 11;
    const auto [leaves, forks] = divided(tree, first, first + count);
    std::size_t next = first;
    for (const auto& [top, bottom] : leaves) {
      EXPECT_EQ(top, next);
      EXPECT_LT(top, bottom);
      EXPECT_LE(bottom - top, tree.cutoff);
      next = bottom;
    }
    EXPECT_EQ(next, first + count);
    EXPECT_EQ(leaves.size() == 1, count <= tree.cutoff);
  }
}

TEST_P(row_tree_test, forks_the_same_each_time) {
  const auto [leaves, forks] = divided(GetParam(), 0, 509);
  const auto [again, forks_again] = divided(GetParam(), 0, 509);
  EXPECT_EQ(leaves, again);
  EXPECT_EQ(forks.groups, forks_again.groups);
}

TEST_P(row_tree_test, every_node_has_a_degree_of_its_shape_and_no_more_parts_than_full_leaves) {
  const row_tree tree = GetParam();
  std::set<unsigned> degrees;
  for (std::size_t first = 0; first != 40; ++first)
    for (std::size_t count = tree.cutoff + 1; count != 4 * tree.cutoff + 80; ++count) {
      const unsigned degree = tree.degree(first, count);
      degrees.insert(degree);
      EXPECT_LE(degree, (count + tree.cutoff - 1) / tree.cutoff);
    }
  const bool halves = tree.shape == row_shape::regular || tree.shape == row_shape::marked;
  EXPECT_EQ(degrees, halves ? std::set<unsigned>{2} : (std::set<unsigned>{2, 3, 4}));
}

/// Rows of the leaves below a task, whose parts it expects to be equal to a row; `leaf` is the next leaf of `leaves`.
std::size_t count_rows(const trace::task_tree& tree, std::uint32_t task, const std::vector<rows>& leaves,
                       std::size_t& leaf) {
  std::vector<std::size_t> parts;
  for (const trace::op& each : test::forks_and_waits(tree, task))
    if (each.what == trace::op::kind::fork) {
      EXPECT_EQ(each.amount, 1);  // no work hints
      parts.push_back(count_rows(tree, each.first, leaves, leaf));
    }
  if (parts.empty()) {
    const auto& [top, bottom] = leaves.at(leaf++);
    return bottom - top;
  }
  const auto [least, most] = std::ranges::minmax(parts);
  EXPECT_LE(most - least, 1u);
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0});
}

TEST_P(row_tree_test, every_node_has_equal_parts) {
  for (const std::size_t count : {128, 509, 4096}) {
    const auto [leaves, forks] = divided(GetParam(), 0, count);
    std::size_t leaf = 0;
    EXPECT_EQ(count_rows(forks, forks.roots.front().task, leaves, leaf), count);
    EXPECT_EQ(leaf, leaves.size());
  }
}

TEST(row_tree_of_a_sweep, differs_from_the_next_ones_only_if_it_is_to_change) {
  for (const row_shape shape : {row_shape::regular, row_shape::irregular, row_shape::marked, row_shape::changing}) {
    const row_tree tree{8, shape};
    const auto third = divided(tree.of(3), 0, 509).second.groups;
    EXPECT_EQ(third, divided(tree.of(3), 0, 509).second.groups);
    EXPECT_EQ(third == divided(tree.of(4), 0, 509).second.groups, shape != row_shape::changing);
  }
}

TEST(row_tree_marks, are_above_the_leaf_inter_socket_tasks) {
  const auto marks = [](std::size_t count, row_shape shape) {
    std::size_t found = 0;
    for (const trace::op& each : divided({4, shape}, 0, count).second.ops) found += each.inter ? 1 : 0;
    return found;
  };
  EXPECT_EQ(marks(16, row_shape::marked), 0u);  // 4 leaves
  EXPECT_EQ(marks(17, row_shape::marked), 2u);  // two halves
  EXPECT_EQ(marks(32, row_shape::marked), 2u);  // of 4 leaves each
  EXPECT_EQ(marks(256, row_shape::marked), 2u + 4 + 8 + 16);
  EXPECT_EQ(marks(256, row_shape::regular), 0u);
}

INSTANTIATE_TEST_SUITE_P(shapes, row_tree_test,
                         testing::Values(row_tree{1, row_shape::regular}, row_tree{8, row_shape::regular},
                                         row_tree{13, row_shape::regular}, row_tree{1, row_shape::irregular},
                                         row_tree{8, row_shape::irregular}, row_tree{13, row_shape::irregular},
                                         row_tree{128, row_shape::irregular}, row_tree{1, row_shape::marked},
                                         row_tree{13, row_shape::marked}, row_tree{8, row_shape::changing, 1},
                                         row_tree{13, row_shape::changing, 7}));

}  // namespace
}  // namespace jackdaw::kernels
