#include "sched/packer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sched/cab.hpp"

namespace {

using jackdaw::sched::boundary_level;
using jackdaw::sched::packer;
using jackdaw::sched::profile;

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

/// A tree of two children each, `levels` deep, whose leaves miss `bytes`. The children of the root are within a squad.
void grow(profile& of, int levels, std::uint64_t bytes) {
  if (levels == 0) {
    of.own.misses = bytes / 64;
    return;
  }
  for (int i = 0; i < 2; ++i) {
    profile& child = of.grow();
    child.within = true;
    child.share = of.share / 2;
    grow(child, levels - 1, bytes);
  }
}

/// The levels of packed tasks from left to right, the root's children being at 1.
std::string tops(const profile& of, int level = 1) {
  std::string found;
  for (const auto& child : of.children) {
    found += child->packed ? std::to_string(level) : "";
    found += tops(*child, level + 1);
  }
  return found;
}

TEST(packer, packs_the_largest_subtrees_that_fit) {
  profile root;
  grow(root, 4, 100 * kib);  // 16 leaves; 800 KiB, 400 KiB, 200 KiB, 100 KiB
  packer made(root, 400 * kib, 0);
  EXPECT_DOUBLE_EQ(root.footprint, 1600 * kib);
  EXPECT_EQ(tops(root), "2222");
}

TEST(packer, adds_what_inner_tasks_miss_to_their_subtrees) {
  profile root;
  grow(root, 3, 100 * kib);
  root.children[0]->own.misses = 100 * kib / 64;
  packer made(root, 400 * kib, 0);
  EXPECT_DOUBLE_EQ(root.children[0]->footprint, 500 * kib);
  EXPECT_EQ(tops(root), "221");
}

TEST(packer, counts_what_workers_share_once_by_what_came_from_memory) {
  profile root;
  grow(root, 4, 100 * kib);
  // Pairs of leaves have their data in common.
  for (const auto& half : root.children) {
    for (const auto& quarter : half->children) {
      for (const auto& pair : quarter->children) pair->children[0]->own.local = 100 * kib / 64;
    }
  }
  packer made(root, 400 * kib, 0, packer::lines::from_memory);
  EXPECT_DOUBLE_EQ(root.footprint, 800 * kib);
  EXPECT_EQ(tops(root), "11");
}

TEST(packer, packs_leaves_that_do_not_fit_one_by_one) {
  profile root;
  grow(root, 2, 10 * mib);
  packer made(root, mib, 0);
  EXPECT_EQ(tops(root), "2222");
}

TEST(packer, packs_nothing_that_lies_in_two_squads) {
  profile root;
  grow(root, 3, kib);
  root.children[0]->within = false;
  packer made(root, mib, 0);
  EXPECT_EQ(tops(root), "221");
}

TEST(packer, steps_to_children_and_to_parents) {
  profile root;
  grow(root, 4, 100 * kib);
  packer made(root, 400 * kib, 0);
  EXPECT_EQ(made.deepest(), 2);
  EXPECT_EQ(made.highest(), 1);
  made.pack(1);
  EXPECT_EQ(tops(root), "33333333");
  made.pack(5);
  EXPECT_EQ(tops(root), "4444444444444444");
  made.pack(-1);
  EXPECT_EQ(tops(root), "11");
  made.pack(-4);
  EXPECT_EQ(tops(root), "11");
  made.pack(0);
  EXPECT_EQ(tops(root), "2222");
}

TEST(packer, splits_the_size_of_the_data_along_the_tree_if_nothing_was_counted) {
  profile root;
  grow(root, 4, 0);
  packer made(root, 4 * mib, 16 * mib);
  EXPECT_DOUBLE_EQ(root.footprint, 16 * mib);
  EXPECT_EQ(tops(root), "2222");
}

TEST(packer, takes_an_irregular_tree) {
  profile root;
  grow(root.grow(), 3, 100 * kib);
  root.children[0]->within = true;
  profile& leaf = root.grow();
  leaf.own.misses = 10;
  packer made(root, 300 * kib, 0);
  EXPECT_EQ(tops(root), "33331");
  made.pack(-1);
  EXPECT_EQ(tops(root), "221");
}

TEST(boundary_level, is_that_of_the_paper) {
  // CAB V-C: 3k x 2k doubles, 6 MB of shared cache, four sockets.
  EXPECT_EQ(boundary_level({.data = 48 * mib, .branching = 2}, 4, 6 * mib), 4u);
  EXPECT_EQ(boundary_level({.data = 8 * mib, .branching = 2}, 4, 6 * mib), 3u);    // 1k x 1k: a task for each squad
  EXPECT_EQ(boundary_level({.data = 256 * mib, .branching = 2}, 4, 6 * mib), 7u);  // 4k x 8k
  EXPECT_EQ(boundary_level({.data = 96 * mib, .branching = 4}, 4, 6 * mib), 3u);
  EXPECT_EQ(boundary_level({.data = 97 * mib, .branching = 4}, 4, 6 * mib), 4u);
}

TEST(boundary_level, is_none_on_one_squad_and_takes_what_it_is_not_told_for_little) {
  EXPECT_EQ(boundary_level({.data = 48 * mib, .branching = 2}, 1, 6 * mib), 0u);
  EXPECT_EQ(boundary_level({}, 4, 0), 3u);
  EXPECT_EQ(boundary_level({.branching = 1}, 8, 0), 4u);
}

}  // namespace
