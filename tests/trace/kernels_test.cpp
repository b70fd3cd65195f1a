// What the kernels fork and declare, recorded as `jackdaw record` and `jackdaw simulate` do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/record/record_kernel.hpp"
#include "jackdaw/error.hpp"
#include "kernels/common/kernel.hpp"
#include "trace/recorded.hpp"
#include "trace/tree_summary.hpp"

namespace jackdaw::test {
namespace {

using cli::record_kernel;
using trace::task_tree;

TEST(kernel_recording, every_kernel_gives_a_valid_tree_with_both_roots) {
  for (const kernels::kernel& kernel : kernels::all()) {
    for (const std::string_view shape : kernel.shapes) {
      const task_tree tree = record_kernel(kernel, {.size = "tiny", .shape = std::string(shape)}, 8);
      EXPECT_NO_THROW(validate(tree)) << tree.program;
      ASSERT_EQ(tree.roots.size(), 2u);
      EXPECT_EQ(tree.roots[0].label, "prepare");
      EXPECT_EQ(tree.roots[1].label, "run");
      EXPECT_EQ(tree.workers, 8u);
      EXPECT_EQ(tree.program, std::string(kernel.name) + " --size tiny --shape " + std::string(shape));
      EXPECT_GT(summarise(tree, tree.roots[1]).work, 0);
    }
  }
}

TEST(kernel_recording, leaves_in_wide_vectors_are_marked_and_others_are_not) {
  for (const std::string_view name : {"heat2d", "matmul", "heat", "conv", "ge", "cilksort", "sor", "pagerank"}) {
    const task_tree tree = record_kernel(*kernels::find(name), {.size = "tiny", .iterations = 1}, 1);
    const bool any = std::any_of(tree.ops.begin(), tree.ops.end(), [](const trace::op& each) { return each.vector; });
    const bool wide = name != "cilksort" && name != "sor" && name != "pagerank";
    EXPECT_EQ(any, wide) << name;
    EXPECT_EQ(tree.vector_rate > 0, wide) << name;
  }
}

TEST(kernel_recording, sph_declares_its_particles_and_hints_how_many_there_are) {
  constexpr std::uint64_t particles = 400, vector = 16, number = 4, key = 16;
  const task_tree one = record_kernel(*kernels::find("sph"), {.size = "tiny", .iterations = 1}, 4);
  const task_tree two = record_kernel(*kernels::find("sph"), {.size = "tiny", .iterations = 2}, 4);
  EXPECT_EQ(summarise(one, one.roots[0]).bytes_written, particles * (5 * vector + 2 * number + 2 * 8 + key));
  const trace::tree_summary first = summarise(one, one.roots[1]), both = summarise(two, two.roots[1]);
  // Keys, their sort, and the particles in its order; then densities, accelerations, places and velocities.
  const std::uint64_t step = particles * (2 * 8 + vector + 2 * vector);
  EXPECT_GE(first.bytes_written, step + particles * (2 * key + 2 * vector + number));
  // The second step does not sort.
  EXPECT_EQ(both.bytes_written - first.bytes_written, step);
  EXPECT_GT(both.bytes_read - first.bytes_read, 2 * step);
  const auto hinted = std::ranges::count_if(
      two.groups, [](const trace::group& each) { return each.total == static_cast<double>(particles); });
  EXPECT_EQ(hinted, 2 * 2);  // densities and forces; the tree of so few is made by one task
}

// 128 x 128 cells are four blocks of 64 x 64, of whose edges the grid's border is not updated.
constexpr std::uint64_t block = 63 * 63 * 4, halo = 4 * 63 * 4;

TEST(kernel_recording, heat2d_forks_four_and_declares_blocks_and_halos) {
  const task_tree tree = record_kernel(*kernels::find("heat2d"), {.size = "tiny", .iterations = 3}, 4);
  const trace::tree_summary prepare = summarise(tree, tree.roots[0]), run = summarise(tree, tree.roots[1]);
  EXPECT_EQ(prepare.forks, 4u);
  EXPECT_EQ(prepare.bytes_written, 2u * 128 * 128 * 4);
  EXPECT_EQ(prepare.bytes_read, 0u);
  EXPECT_EQ(run.tasks, 13u);
  EXPECT_EQ(run.leaves, 12u);
  EXPECT_EQ(run.accesses, 12u * 6);
  EXPECT_EQ(run.bytes_read, 12 * (block + halo));
  EXPECT_EQ(run.bytes_written, 12 * block);
  ASSERT_EQ(tree.groups.size(), 4u);
  for (const trace::group& each : tree.groups) {
    EXPECT_TRUE(each.structured);
    EXPECT_EQ(each.total, 4);
  }
  // Every sweep comes from one place in the program, and the fill from another.
  EXPECT_EQ(tree.groups[1].site, tree.groups[2].site);
  EXPECT_EQ(tree.groups[1].site, tree.groups[3].site);
  EXPECT_NE(tree.groups[0].site, tree.groups[1].site);
}

TEST(kernel_recording, heat2d_by_rows_declares_as_much_but_for_fewer_halo_columns) {
  const task_tree tree = record_kernel(*kernels::find("heat2d"), {.size = "tiny", .shape = "rows", .iterations = 1}, 1);
  const trace::tree_summary run = summarise(tree, tree.roots[1]);
  EXPECT_EQ(run.leaves, 8u);
  EXPECT_EQ(run.bytes_written, 126u * 126 * 4);
  EXPECT_EQ(run.bytes_read, 126u * 126 * 4 + 8 * 2 * 126 * 4 + 2 * 126 * 4);
}

std::vector<double> hints_of(const task_tree& tree, std::uint32_t root) {
  std::vector<double> hints;
  for (const trace::op& each : forks_and_waits(tree, tree.roots[root].task)) {
    if (each.what == trace::op::kind::fork) hints.push_back(each.amount);
  }
  return hints;
}

TEST(kernel_recording, heat2d_passes_fixed_wrong_hints) {
  const auto record = [](const std::string& hints) {
    return record_kernel(*kernels::find("heat2d"), {.size = "tiny", .iterations = 2, .hints = hints}, 4);
  };
  EXPECT_EQ(hints_of(record(""), 1), (std::vector<double>(8, 1.0)));
  EXPECT_EQ(hints_of(record("fixed:0.5"), 1), (std::vector<double>{0.5, 0.75, 1.25, 1.5, 0.5, 0.75, 1.25, 1.5}));
  EXPECT_EQ(hints_of(record("fixed:1"), 0), (std::vector<double>{0, 0.5, 1.5, 2}));
}

TEST(kernel_recording, heat2d_passes_random_wrong_hints_that_repeat) {
  const auto record = [](const std::string& hints) {
    return record_kernel(*kernels::find("heat2d"), {.size = "512", .iterations = 2, .hints = hints}, 4);
  };
  const task_tree tree = record("random:0.5");
  std::vector<double> all;
  for (const trace::op& each : tree.ops) {
    if (each.what == trace::op::kind::fork) all.push_back(each.amount);
  }
  EXPECT_EQ(all.size(), 3u * 84);
  EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](double hint) { return hint >= 0.5 && hint <= 1.5; }));
  EXPECT_LT(*std::min_element(all.begin(), all.end()), 0.6);
  EXPECT_GT(*std::max_element(all.begin(), all.end()), 1.4);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(hints_of(tree, 1), hints_of(record("random:0.5"), 1));
}

TEST(kernel_recording, malformed_wrong_hints_are_refused) {
  for (const char* hints : {"fixed", "fixed:", "fixed:x", "fixed:1.5", "fixed:-1", "random:nan", "odd:0.5", "0.5"}) {
    EXPECT_THROW(record_kernel(*kernels::find("heat2d"), {.size = "tiny", .hints = hints}, 1), error) << hints;
  }
  EXPECT_THROW(record_kernel(*kernels::find("heat2d"), {.size = "tiny", .shape = "rows", .hints = "fixed:0"}, 1),
               error);
}

TEST(kernel_recording, matmul_declares_its_blocks) {
  for (const char* shape : {"group", "invoke"}) {
    const task_tree tree = record_kernel(*kernels::find("matmul"), {.size = "tiny", .shape = shape}, 4);
    const trace::tree_summary prepare = summarise(tree, tree.roots[0]), run = summarise(tree, tree.roots[1]);
    EXPECT_EQ(prepare.bytes_written, 3u * 256 * (256 + 16) * 4);
    EXPECT_EQ(run.leaves, 8u);
    EXPECT_EQ(run.accesses, 8u * 4);
    EXPECT_EQ(run.bytes_read, 8u * 3 * 128 * 128 * 4);
    EXPECT_EQ(run.bytes_written, 8u * 128 * 128 * 4);
    ASSERT_GE(tree.groups.size(), 2u);
    EXPECT_EQ(tree.groups.back().structured, shape == std::string("invoke"));
    EXPECT_EQ(tree.groups.back().total, 4);
  }
}

TEST(kernel_recording, sorts_declare_every_key_at_each_level) {
  const task_tree tree = record_kernel(*kernels::find("cilksort"), {.size = "tiny"}, 4);
  const trace::tree_summary prepare = summarise(tree, tree.roots[0]), run = summarise(tree, tree.roots[1]);
  EXPECT_EQ(prepare.bytes_written, 2u * 20'000 * 4);
  // 20000 keys are two levels of quarters: sorted once, merged twice at each level.
  EXPECT_EQ(run.bytes_written, 5u * 20'000 * 4);
  EXPECT_EQ(run.bytes_read, 5u * 20'000 * 4);
  const task_tree sorted = record_kernel(*kernels::find("sort"), {.size = "tiny"}, 4);
  EXPECT_GE(summarise(sorted, sorted.roots[1]).bytes_written, 20'000u * 8);
}

}  // namespace
}  // namespace jackdaw::test
