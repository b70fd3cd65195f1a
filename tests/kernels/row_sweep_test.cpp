// What the kernels that sweep over rows fork and declare.
#include "kernels/common/row_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/ge/ge.hpp"
#include "kernels/sor/sor.hpp"
#include "kernels/stencils/stencil_grid.hpp"
#include "kernels/stencils/stencils.hpp"
#include "trace/recorded.hpp"

namespace jackdaw::kernels {
namespace {

using bits = std::vector<std::uint64_t>;

/// All memory of a state, one double after the other.
template <class State>
bits memory_of(State& state) {
  bits result;
  for (const std::span<double> part : state.memory())
    for (const double each : part) result.push_back(std::bit_cast<std::uint64_t>(each));
  return result;
}

template <class State>
void set_memory(State& state, const bits& to) {
  std::size_t next = 0;
  for (const std::span<double> part : state.memory())
    for (double& each : part) each = std::bit_cast<double>(to[next++]);
}

/// Which doubles of a state's memory are declared by f(), as read or as written.
struct declared {
  std::vector<bool> read, written;
};

template <class State, class F>
declared declared_by(State& state, const F& f) {
  declared result;
  const trace::task_tree tree = test::recorded(f, 1);
  for (const std::span<double> part : state.memory())
    for (const double& each : part) {
      const auto at = reinterpret_cast<std::uint64_t>(&each);
      const auto holds = [&](bool write) {
        return std::ranges::any_of(tree.accesses, [&](const trace::access& a) {
          const std::uint64_t row = a.rows == 1 || at < a.address ? 0 : (at - a.address) / a.stride;
          const std::uint64_t begin = a.address + row * a.stride;
          return a.write == write && row < a.rows && at >= begin && at < begin + a.length;
        });
      };
      result.read.push_back(holds(false));
      result.written.push_back(holds(true));
    }
  return result;
}

template <class State>
class swept_state : public testing::Test {};

using states = testing::Types<stencil_grid<five_point>, stencil_grid<nine_point>, stencil_grid<convolution>,
                              stencil_grid<six_point>, stencil_grid<twenty_five_point>, sor_grid, ge_matrix>;
TYPED_TEST_SUITE(swept_state, states);

/// As many sweeps as show all that sweeps can differ in.
constexpr std::uint64_t few = 3;

TYPED_TEST(swept_state, leaves_write_what_they_declare_and_need_no_more_than_they_declare) {
  const auto& size = choose(TypeParam::sizes, TypeParam::name, "size", "tiny");
  TypeParam state(size);
  set_memory(state, bits(memory_of(state).size(), 0));
  state.fill(0, state.rows());
  const std::uint64_t poison = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
  std::size_t changes = 0;
  for (std::uint64_t s = 0; s != few; ++s)
    for (std::size_t first = 0; first < state.rows(); first += size.cutoff) {
      const std::size_t last = std::min(first + size.cutoff, state.rows());
      const declared leaf = declared_by(state, [&] { state.declare_sweep(s, first, last); });
      const bits before = memory_of(state);
      state.sweep(s, first, last);
      const bits after = memory_of(state);
      bits without = before;
      for (std::size_t i = 0; i != before.size(); ++i)
        if (!leaf.read[i]) without[i] = poison;
      set_memory(state, without);
      state.sweep(s, first, last);
      const bits again = memory_of(state);
      set_memory(state, after);
      for (std::size_t i = 0; i != before.size(); ++i) {
        if (before[i] == after[i]) continue;
        ++changes;
        ASSERT_TRUE(leaf.written[i]) << "rows " << first << " to " << last << " changed double " << i;
        ASSERT_EQ(again[i], after[i]) << "rows " << first << " to " << last << " need more for double " << i;
      }
    }
  EXPECT_GT(changes, 0u);
}

TYPED_TEST(swept_state, a_fill_declares_every_row_and_no_padding) {
  const auto& size = choose(TypeParam::sizes, TypeParam::name, "size", "tiny");
  TypeParam state(size);
  const std::uint64_t untouched = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
  set_memory(state, bits(memory_of(state).size(), untouched));
  const declared fill = declared_by(state, [&] {
    state.declare_fill(5, 9);
    state.fill(5, 9);
  });
  const bits after = memory_of(state);
  for (std::size_t i = 0; i != after.size(); ++i) {
    ASSERT_EQ(fill.written[i], after[i] != untouched) << "double " << i;
    ASSERT_FALSE(fill.read[i]);
  }
}

trace::task_tree recorded_kernel(const kernel& k, const request& wanted) {
  const auto side = std::ranges::find(k.sides, "jackdaw", &side::name);
  const std::unique_ptr<problem> p = side->make(wanted);
  return test::recorded([&] {
    p->prepare();
    p->run();
  });
}

/// The groups that the root task opens: the prepare's and one for each sweep.
std::vector<trace::group> of_root(const trace::task_tree& tree) {
  std::vector<trace::group> result;
  for (const trace::op& each : test::forks_and_waits(tree, tree.roots.front().task))
    if (each.what == trace::op::kind::wait) result.push_back(tree.groups[each.count]);
  return result;
}

TEST(swept_kernels, every_sweep_is_the_next_iteration_of_one_region) {
  for (const kernel& k : {heat(), sor(), ge(), stencil_9p(), conv(), stencil_6p(), stencil_25p()})
    for (const std::string shape : {"regular", "irregular", "marked"}) {
      const std::size_t sweeps = k.name == "sor" ? 8 : 4;
      const trace::task_tree tree = recorded_kernel(k, {.size = "tiny", .shape = shape, .iterations = 4});
      const std::vector<trace::group> groups = of_root(tree);
      ASSERT_EQ(groups.size(), 1 + sweeps) << k.name;
      for (const trace::group& each : groups) EXPECT_EQ(each.total, groups.front().total) << k.name;
      for (std::size_t s = 1; s <= sweeps; ++s) EXPECT_EQ(groups[s].site, groups[1].site) << k.name;
      EXPECT_NE(groups[0].site, groups[1].site) << k.name;
      // The same tree each time, of at least sixteen leaves.
      EXPECT_EQ(tree.groups.size() % (1 + sweeps), 0u) << k.name;
      const std::size_t forks = tree.tasks.size() - 1, inner = tree.groups.size() - (1 + sweeps);
      EXPECT_GE((forks - inner) / (1 + sweeps), 16u) << k.name;
    }
}

TEST(swept_kernels, changing_ones_have_another_tree_in_each_sweep) {
  const trace::task_tree tree = recorded_kernel(heat(), {.size = "tiny", .shape = "changing", .iterations = 4});
  std::vector<std::size_t> groups;  // of each sweep: the groups opened below the root's
  for (const trace::op& each : test::forks_and_waits(tree, tree.roots.front().task))
    if (each.what == trace::op::kind::wait) groups.push_back(each.count);
  ASSERT_EQ(groups.size(), 5u);
  const std::set<std::size_t> sizes{groups[2] - groups[1], groups[3] - groups[2], groups[4] - groups[3]};
  EXPECT_GT(sizes.size(), 1u);
}

TEST(swept_kernels, irregular_ones_differ_in_degree) {
  for (const kernel& k : {heat(), sor(), ge(), stencil_9p(), conv(), stencil_6p(), stencil_25p()}) {
    const auto degrees = [&](const std::string& shape) {
      std::set<double> result;
      const trace::task_tree tree = recorded_kernel(k, {.size = "tiny", .shape = shape, .iterations = 1});
      for (const trace::group& each : tree.groups) result.insert(each.total);
      return result;
    };
    EXPECT_EQ(degrees("regular"), std::set<double>{2}) << k.name;
    EXPECT_GT(degrees("irregular").size(), 1u) << k.name;
  }
}

TEST(swept_kernels, elimination_keeps_its_tree_when_rows_have_nothing_to_do) {
  const trace::task_tree tree = recorded_kernel(ge(), {.size = "tiny"});
  EXPECT_EQ(of_root(tree).size(), 128u);
  EXPECT_EQ(tree.groups.size(), 128u * 15);  // 16 leaves each
}

}  // namespace
}  // namespace jackdaw::kernels
