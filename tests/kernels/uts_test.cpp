#include "kernels/uts/uts.hpp"

#include <gtest/gtest.h>

#include <memory>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {
namespace {

class serial_walk : public uts_problem {
 public:
  using uts_problem::uts_problem;
  void run() override { found = below(uts_node::root(tree.seed)); }
  void forget_a_leaf() { --found.leaves; }

 private:
  uts_tally below(const uts_node& node) const {
    const std::uint32_t children = tree.children(node);
    uts_tally sum{1, children == 0, node.depth};
    for (std::uint32_t i = 0; i != children; ++i) sum = sum + below(node.child(i));
    return sum;
  }
};

/// The published sizes of the sample trees: 4130071 nodes in T1, 4112897 in T3.
TEST(uts, finds_the_published_sizes) {
  for (const char* name : {"T1", "T3"}) {
    serial_walk walk(request{.size = name});
    walk.prepare();
    walk.run();
    EXPECT_NO_THROW(walk.check()) << name;
  }
  EXPECT_EQ(serial_walk(request{.size = "T1"}).items(), 4130071);
  EXPECT_EQ(serial_walk(request{.size = "T3"}).items(), 4112897);
}

std::unique_ptr<problem> run_on_two(const request& wanted) {
  options with;
  with.workers = 2;
  runtime rt{with};
  auto p = find("uts")->sides.front().make(wanted);
  rt.run([&] {
    p->prepare();
    p->run();
  });
  return p;
}

/// T3 is 1572 levels deep, far more than a task's stack holds.
TEST(uts, invoke_takes_deep_trees) { EXPECT_NO_THROW(run_on_two({.size = "T3", .shape = "invoke"})->check()); }

TEST(uts, group_takes_binomial_trees) {
  EXPECT_NO_THROW(run_on_two({.size = "tiny-binomial", .shape = "group"})->check());
}

TEST(uts, check_fails_for_a_wrong_count) {
  serial_walk walk(request{.size = "tiny"});
  walk.run();
  walk.forget_a_leaf();
  EXPECT_THROW(walk.check(), check_failed);
}

TEST(uts, numbers_lie_in_the_unit_interval_and_differ_between_children) {
  const uts_node root = uts_node::root(19);
  EXPECT_GE(root.uniform(), 0);
  EXPECT_LT(root.uniform(), 1);
  EXPECT_NE(root.child(0).uniform(), root.child(1).uniform());
  EXPECT_EQ(root.child(1).depth, 1u);
}

}  // namespace
}  // namespace jackdaw::kernels
