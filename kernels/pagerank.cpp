#include "kernels/pagerank.hpp"

#include <functional>

#include "kernels/graph_loop.hpp"
#include "kernels/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_pagerank : public pagerank_problem {
 public:
  using pagerank_problem::pagerank_problem;

  void prepare() override {
    sources = placed(sources);
    for_vertices(sources, [this](vertex first, vertex last) {
      jackdaw::writes(rank.data() + first, last - first);
      jackdaw::writes(share.data() + first, last - first);
      reset(first, last);
    });
  }

  void run() override {
    for (unsigned t = 0; t != iterations; ++t) {
      for_vertices(sources, [this](vertex first, vertex last) {
        jackdaw::reads(rank.data() + first, last - first);
        jackdaw::reads(out_degree.data() + first, last - first);
        jackdaw::writes(share.data() + first, last - first);
        compute_shares(first, last);
      });
      // The dead ends are few and their ranks lie anywhere: not declared.
      const double each = base(jackdaw::transform_reduce(dead_ends.begin(), dead_ends.end(), 0.0, std::plus<>{},
                                                         [this](vertex v) { return rank[v]; }));
      for_vertices(sources, [this, each](vertex first, vertex last) {
        reads_edges(sources, first, last);
        jackdaw::writes(rank.data() + first, last - first);
        compute_ranks(first, last, each);
      });
    }
  }
};

class serial_pagerank : public pagerank_problem {
 public:
  using pagerank_problem::pagerank_problem;

  void run() override {
    for (unsigned t = 0; t != iterations; ++t) {
      compute_shares(0, sources.vertices());
      double lost = 0;
      for (const vertex v : dead_ends) lost += rank[v];
      compute_ranks(0, sources.vertices(), base(lost));
    }
  }
};

}  // namespace

kernel pagerank() {
  return {.name = "pagerank",
          .summary = "PageRank of a graph by the power method",
          .sizes = graph_sizes(),
          .shapes = names(pull_only),
          .takes_input = true,
          .sides = {make_side<jackdaw_pagerank>("jackdaw"), make_side<serial_pagerank>("serial")}};
}

}  // namespace jackdaw::kernels
