// Which subtrees of a region become intra-socket subgraphs, and to which squads they go.
#include "sched/subgraphs.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sched {
namespace {

/// Two branches, so many levels below `at`.
void grow(profile& at, unsigned levels) {
  for (unsigned i = 0; levels > 0 && i < 2; ++i) grow(at.grow(), levels - 1);
}

unsigned tops_at(const profile& of, unsigned level, unsigned wanted) {
  unsigned sum = of.packed && level == wanted ? 1 : 0;
  for (const auto& child : of.children) sum += tops_at(*child, level + 1, wanted);
  return sum;
}

TEST(subgraphs, are_the_smallest_subtrees_with_enough_tasks) {
  profile root;
  grow(root, 8);
  subgraphs made;
  made.group(root, 40);  // a subtree of 5 levels has 63 tasks, one of 4 has 31
  EXPECT_EQ(made.count(), 8u);
  EXPECT_EQ(tops_at(root, 0, 3), 8u);
  made.group(root, 63);
  EXPECT_EQ(made.count(), 8u);
  made.group(root, 64);
  EXPECT_EQ(made.count(), 4u);
  EXPECT_EQ(tops_at(root, 0, 2), 4u);
  EXPECT_EQ(tops_at(root, 0, 3), 0u);
}

TEST(subgraphs, take_the_roots_children_of_a_small_tree_and_small_siblings_of_large_subtrees) {
  profile small;
  grow(small, 2);
  subgraphs made;
  made.group(small, 40);
  EXPECT_EQ(made.count(), 2u);
  EXPECT_EQ(tops_at(small, 0, 1), 2u);

  profile lopsided;
  lopsided.grow();
  profile& large = lopsided.grow();
  large.grow();
  grow(large.grow(), 5);
  made.group(lopsided, 40);
  EXPECT_EQ(made.count(), 3u);  // the leaf, its nephew, and the subtree of 63
  EXPECT_EQ(lopsided.children[0]->subgraph, 0u);
  EXPECT_EQ(large.children[1]->subgraph, 2u);
  EXPECT_FALSE(large.packed);
}

TEST(subgraphs, visit_all_squads_and_stay_where_half_of_their_data_are) {
  profile root;
  grow(root, 2);
  root.children[1]->home = 1;
  subgraphs made;
  made.group(root, 3);
  ASSERT_EQ(made.count(), 2u);
  const auto near = [](std::uint32_t home) { return std::vector{home, (home + 1) % 3, (home + 2) % 3}; };
  made.explore(0, near);
  EXPECT_EQ(made.squad_of(0), 0u);
  EXPECT_EQ(made.squad_of(1), 1u);
  made.count(0, 1, 9);
  made.count(1, 5, 5);
  EXPECT_FALSE(made.judge());
  EXPECT_TRUE(made.high(1));
  made.explore(1, near);
  EXPECT_EQ(made.squad_of(0), 1u);
  EXPECT_EQ(made.squad_of(1), 1u);  // stays
  made.count(0, 4, 6);
  EXPECT_FALSE(made.judge());
  made.explore(2, near);
  made.count(0, 2, 8);
  EXPECT_FALSE(made.judge());
  made.settle();
  EXPECT_FALSE(made.unseen());
  EXPECT_FALSE(made.high(0));
  EXPECT_EQ(made.squad_of(0), 1u);  // most of all squads
  EXPECT_EQ(made.highs(), 1u);
  made.forget();
  EXPECT_TRUE(made.unseen());
  EXPECT_EQ(made.highs(), 0u);
}

}  // namespace
}  // namespace jackdaw::sched
