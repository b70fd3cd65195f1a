#include "papers/made_trees.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "trace/tree_builder.hpp"

namespace jackdaw::cli {
namespace {

using trace::op;
using trace::task_tree;

/// Returns an empty tree, with a site for the groups that a root's own code opens.
task_tree named(std::string program, std::string site) {
  task_tree made;
  made.program = std::move(program);
  made.sites = {"nested", std::move(site)};
  return made;
}

/// A square of tiles of one matrix.
struct tiles {
  std::uint64_t base, row;  ///< the matrix's address, and its tiles in a row
  std::uint64_t top = 0, left = 0, side = 1;

  static constexpr std::uint64_t bytes = std::uint64_t{128} * 128 * sizeof(float);

  tiles part(unsigned lower, unsigned right) const {
    const std::uint64_t half = side / 2;
    return {base, row, top + lower * half, left + right * half, half};
  }
  trace::access touched(bool write) const {
    return {.address = base + (top * row + left) * bytes, .length = bytes, .stride = 0, .rows = 1, .write = write};
  }
};

// As kernels/matmul/matmul.cpp.
void multiply(trace::tree_builder& to, const tiles& a, const tiles& b, const tiles& c) {
  if (c.side == 1) {
    to.touch(a.touched(false));
    to.touch(b.touched(false));
    to.touch(c.touched(false));
    to.touch(c.touched(true));
    return to.compute(0, true);
  }
  for (const unsigned k : {0U, 1U}) {
    const std::uint32_t group = to.open_group(4, false, to.depth() == 1 ? 1 : 0);
    for (const unsigned j : {0U, 1U}) {
      for (const unsigned i : {0U, 1U}) {
        to.fork(group, 1, false);
        multiply(to, a.part(i, k), b.part(k, j), c.part(i, j));
        to.end_task();
      }
    }
    to.wait(group);
  }
}

/// Forks by halves down to parts for which `leaf` is called: those of one.
template <class Leaf>
void halve(trace::tree_builder& to, std::uint64_t first, std::uint64_t last, std::uint32_t site, const Leaf& leaf) {
  if (last - first == 1) return leaf(first);
  const std::uint64_t middle = first + (last - first) / 2;
  const std::uint32_t group = to.open_group(static_cast<double>(last - first), true, site);
  for (const auto& [begin, end] : {std::pair(first, middle), std::pair(middle, last)}) {
    to.fork(group, static_cast<double>(end - begin), false);
    halve(to, begin, end, 0, leaf);
    to.end_task();
  }
  to.wait(group);
}

void add_fib(trace::tree_builder& to, unsigned n, unsigned below, const std::vector<double>& took, double per_call) {
  if (n <= below) return to.compute(took[n]);
  const std::uint32_t group = to.open_group(3, false, to.depth() == 1 ? 1 : 0);
  to.fork(group, 2, false);
  add_fib(to, n - 1, below, took, per_call);
  to.end_task();
  add_fib(to, n - 2, below, took, per_call);
  to.wait(group);
}

/// Adds the leaves below a task: steps that declare accesses.
void collect(const task_tree& from, std::uint32_t task, std::vector<const op*>& leaves) {
  const trace::task& one = from.tasks[task];
  for (std::uint64_t i = one.first_op; i != one.first_op + one.ops; ++i) {
    const op& step = from.ops[i];
    if (step.what == op::kind::fork) collect(from, step.first, leaves);
    if (step.what == op::kind::compute && step.count != 0) leaves.push_back(&step);
  }
}

/// The first address that a leaf writes.
std::uint64_t written(const task_tree& from, const op& leaf) {
  for (std::uint32_t a = leaf.first; a != leaf.first + leaf.count; ++a)
    if (from.accesses[a].write) return from.accesses[a].address;
  return 0;
}

void deal(trace::tree_builder& to, const task_tree& from, std::vector<const op*> leaves, unsigned workers,
          std::uint32_t site) {
  std::ranges::sort(leaves, {},
                    [&](const op* leaf) { return std::pair(written(from, *leaf), leaf - from.ops.data()); });
  halve(to, 0, workers, site, [&](std::uint64_t worker) {
    const std::size_t end = leaves.size() * (worker + 1) / workers;
    for (std::size_t at = leaves.size() * worker / workers; at != end; ++at) {
      const op& leaf = *leaves[at];
      for (std::uint32_t a = leaf.first; a != leaf.first + leaf.count; ++a) to.touch(from.accesses[a]);
      to.compute(leaf.amount, leaf.vector);
    }
  });
}

}  // namespace

task_tree matmul_by_tiles(std::uint64_t n) {
  const std::uint64_t row = n / 128;
  if (n % 128 != 0 || !std::has_single_bit(row)) throw std::invalid_argument("matmul_by_tiles: n");
  trace::tree_builder made(named("matmul by tiles", "matmul"));
  const std::uint64_t matrix = row * row * tiles::bytes, first = std::uint64_t{1} << 21;
  const auto at = [&](unsigned which) { return tiles{first + which * matrix, row, 0, 0, row}; };
  const auto each = [&](std::uint64_t tile) {
    for (const unsigned which : {0U, 1U, 2U})
      made.touch({first + which * matrix + tile * tiles::bytes, tiles::bytes, 0, 1, true});
    made.compute(0);
  };
  made.begin_root("prepare");
  halve(made, 0, row * row, 1, each);
  made.end_root();
  made.begin_root("run");
  multiply(made, at(0), at(1), at(2));
  made.end_root();
  return made.finish();
}

double calls_of_fib(unsigned n) {
  double last = 1, next = 1;
  for (unsigned i = 1; i < n; ++i) last = std::exchange(next, 1 + next + last);
  return next;
}

task_tree coarse_fib(unsigned n, unsigned below, double per_call) {
  if (below < 2 || below >= n || n > 60) throw std::invalid_argument("coarse_fib: n, below");
  std::vector<double> took;
  for (unsigned i = 0; i <= below; ++i) took.push_back(per_call * calls_of_fib(i));
  trace::tree_builder made(named("coarse fib", "fib"));
  made.begin_root("run");
  add_fib(made, n, below, took, per_call);
  made.end_root();
  return made.finish();
}

task_tree static_schedule(const task_tree& of, unsigned workers) {
  if (workers == 0) throw std::invalid_argument("static_schedule: workers");
  task_tree head = of;
  head.ops.clear();
  head.tasks.clear();
  head.groups.clear();
  head.accesses.clear();
  head.roots.clear();
  trace::tree_builder made(std::move(head));
  for (const trace::root& root : of.roots) {
    made.begin_root(root.label);
    std::vector<const op*> leaves;
    const trace::task& task = of.tasks[root.task];
    for (std::uint64_t i = task.first_op; i != task.first_op + task.ops; ++i) {
      const op& step = of.ops[i];
      if (step.what == op::kind::fork) collect(of, step.first, leaves);
      if (step.what == op::kind::compute && step.count == 0) made.compute(step.amount, step.vector);
      if (step.what == op::kind::wait) deal(made, of, std::exchange(leaves, {}), workers, of.groups[step.count].site);
    }
    made.end_root();
  }
  return made.finish();
}

}  // namespace jackdaw::cli
