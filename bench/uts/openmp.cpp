#include "kernels/uts/uts.hpp"

#include <vector>

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::uts_node;
using kernels::uts_tally;
using kernels::uts_tree;

/// A tally to which only one thread adds.
struct alignas(64) own_tally : uts_tally {};

// No thread waits for a subtree: the barrier at the end of the parallel region waits for all tasks.
void search(const uts_tree& tree, const uts_node& node, own_tally* tallies) {
  const std::uint32_t children = tree.children(node);
  uts_tally& mine = tallies[omp_get_thread_num()];
  mine = mine + uts_tally{1, children == 0 ? 1u : 0u, node.depth};
  for (std::uint32_t i = 0; i != children; ++i) {
#pragma omp task default(none) shared(tree) firstprivate(node, i, tallies)
    search(tree, node.child(i), tallies);
  }
}

class problem : public kernels::uts_problem {
 public:
  explicit problem(const kernels::request& wanted)
      : uts_problem(wanted), threads_(threads(wanted)), tallies_(static_cast<std::size_t>(threads_)) {}

  void run() override {
    std::ranges::fill(tallies_, own_tally{});
#pragma omp parallel num_threads(threads_)
#pragma omp single
    search(tree, uts_node::root(tree.seed), tallies_.data());
    for (const uts_tally& tally : tallies_) found = found + tally;
  }

 private:
  const int threads_;
  std::vector<own_tally> tallies_;
};

}  // namespace

kernels::side uts() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
