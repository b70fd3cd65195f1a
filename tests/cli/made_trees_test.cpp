// Trees that are made are those that the kernels would have.
#include "papers/made_trees.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "analysis/equalise_times.hpp"
#include "cli/record/record_kernel.hpp"
#include "machine/machine_file.hpp"
#include "sim/simulate.hpp"
#include "trace/tree_builder.hpp"

namespace jackdaw::cli {
namespace {

using trace::op;
using trace::task_tree;

task_tree recorded(const char* kernel, const char* size, const char* shape, unsigned iterations = 0) {
  kernels::request request;
  request.size = size;
  request.shape = shape;
  request.iterations = iterations;
  return record_kernel(*kernels::find(kernel), request, 64);
}

/// The forks, waits and leaves of a root, in the order of a serial run.
using step = std::tuple<char, double, double, std::size_t>;
void steps_of(const task_tree& tree, std::uint32_t task, std::vector<step>& found) {
  const trace::task& of = tree.tasks[task];
  for (std::uint64_t i = of.first_op; i != of.first_op + of.ops; ++i) {
    const op& each = tree.ops[i];
    if (each.what == op::kind::fork) {
      found.emplace_back('f', each.amount, tree.groups[each.count].total, each.help_first);
      steps_of(tree, each.first, found);
      found.emplace_back('e', 0, 0, 0);
    } else if (each.what == op::kind::wait) {
      found.emplace_back('j', 0, 0, 0);
    } else if (each.count != 0) {
      double bytes = 0;
      for (std::uint32_t a = each.first; a != each.first + each.count; ++a)
        bytes += static_cast<double>(tree.accesses[a].length * tree.accesses[a].rows);
      found.emplace_back(each.vector ? 'v' : 'c', bytes, 0, each.count);
    }
  }
}
std::vector<step> run_of(const task_tree& tree) {
  std::vector<step> found;
  steps_of(tree, tree.roots.back().task, found);
  return found;
}

/// What all iterations take on 16 workers, the mean over three seeds.
double whole(const task_tree& tree, const machine_model& on, const char* scheduler) {
  const sim::address_space space(tree, on);
  sim::scenario how;
  how.scheduler = scheduler;
  how.placement = "interleave";
  how.workers = 16;
  double sum = 0;
  for (how.seed = 1; how.seed <= 3; ++how.seed) {
    for (const double each : sim::simulate(tree, space, on, how).iterations) sum += each / 3;
  }
  return sum;
}

TEST(matmul_by_tiles, forks_and_moves_bytes_as_the_kernel_does) {
  const task_tree made = matmul_by_tiles(512);
  EXPECT_NO_THROW(trace::validate(made));
  EXPECT_EQ(run_of(made), run_of(recorded("matmul", "512", "group")));
}

TEST(matmul_by_tiles, takes_as_long_with_large_blocks_as_the_recording_with_small_ones) {
  task_tree made = matmul_by_tiles(1024), other = recorded("matmul", "1024", "group");
  for (task_tree* const each : {&made, &other}) analysis::set_times(*each, 40400, 2);
  const machine_model small = load_machine_model("xeon-gold-6130");
  machine_model large = small;
  set_figure(large, "block", "x8");
  for (const char* const scheduler : {"random", "adws"}) {
    EXPECT_NEAR(whole(made, large, scheduler) / whole(other, small, scheduler), 1, 0.03) << scheduler;
  }
}

TEST(coarse_fib, stands_for_every_call) {
  EXPECT_EQ(calls_of_fib(0), 1);
  EXPECT_EQ(calls_of_fib(1), 1);
  EXPECT_EQ(calls_of_fib(2), 3);
  EXPECT_EQ(calls_of_fib(20), 21891);
  const task_tree made = coarse_fib(20, 7, 2);
  EXPECT_NO_THROW(trace::validate(made));
  double sum = 0;
  std::size_t forks = 0;
  for (const op& each : made.ops) {
    if (each.what == op::kind::compute) sum += each.amount;
    if (each.what == op::kind::fork) ++forks;
  }
  EXPECT_EQ(sum + 2 * static_cast<double>(forks), 2 * calls_of_fib(20));  // each fork is of a call that is none of them
}

TEST(coarse_fib, forks_as_the_kernel_does_above) {
  // Without steps that declare accesses only forks and waits are left; the kernel's go on below.
  const std::vector<step> made = run_of(coarse_fib(9, 2, 1)), all = run_of(recorded("fib", "tiny", "group"));
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(std::get<0>(made.front()), 'f');
  EXPECT_EQ(made.front(), all.front());
}

TEST(static_schedule, gives_each_worker_one_contiguous_share) {
  const task_tree before = recorded("heat2d", "512", "blocks", 2);
  for (const unsigned workers : {1U, 5U, 48U, 64U}) {
    const task_tree made = static_schedule(before, workers);
    EXPECT_NO_THROW(trace::validate(made));
    ASSERT_EQ(made.accesses.size(), before.accesses.size());
    const machine_model on = load_machine_model("xeon-gold-6130");
    const sim::address_space space(made, on);
    sim::execution ran;
    sim::scenario how;
    how.scheduler = "adws:no-steal";
    how.workers = workers;
    how.ran = &ran;
    sim::simulate(made, space, on, how);
    // 64 blocks, filled once and swept twice, in the order of rows: by worker the addresses that it writes.
    std::map<std::uint32_t, std::set<std::uint64_t>> filled;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_address;
    for (std::size_t i = 0; i != made.ops.size(); ++i) {
      const op& leaf = made.ops[i];
      if (leaf.what != op::kind::compute || leaf.count != 2) continue;  // what fills both states
      by_address.emplace_back(made.accesses[leaf.first].address, ran.by[i]);
      filled[ran.by[i]].insert(made.accesses[leaf.first].address);
    }
    ASSERT_EQ(by_address.size(), 64u);
    EXPECT_EQ(filled.size(), workers);
    std::sort(by_address.begin(), by_address.end());
    std::size_t changes = 0;
    for (std::size_t i = 1; i != by_address.size(); ++i)
      changes += by_address[i].second != by_address[i - 1].second ? 1 : 0;
    EXPECT_EQ(changes + 1, workers);
    for (const auto& [worker, blocks] : filled) {
      EXPECT_GE(blocks.size(), 64 / workers) << worker;
      EXPECT_LE(blocks.size(), 64 / workers + 1) << worker;
    }
  }
}

TEST(made_trees, refuse_what_cannot_be_made) {
  EXPECT_THROW(matmul_by_tiles(0), std::invalid_argument);
  EXPECT_THROW(matmul_by_tiles(384), std::invalid_argument);
  EXPECT_THROW(matmul_by_tiles(500), std::invalid_argument);
  EXPECT_THROW(coarse_fib(5, 5, 1), std::invalid_argument);
  EXPECT_THROW(coarse_fib(5, 1, 1), std::invalid_argument);
  EXPECT_THROW(coarse_fib(61, 40, 1), std::invalid_argument);
  EXPECT_THROW(static_schedule(coarse_fib(5, 2, 1), 0), std::invalid_argument);
}

}  // namespace
}  // namespace jackdaw::cli
