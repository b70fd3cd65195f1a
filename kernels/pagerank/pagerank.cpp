#include "kernels/pagerank/pagerank.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>

#include "kernels/common/graph_loop.hpp"
#include "kernels/common/list.hpp"
#include "kernels/common/scattered_reads.hpp"

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
      jackdaw::writes(out_degree.data() + first, last - first);
      reset(first, last);
      pulled_.learn(sources, first, last);
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
      const double each = base(lost_rank());
      for_vertices(sources, [this, each](vertex first, vertex last) {
        reads_edges(sources, first, last);
        pulled_.declare(sources, first, last, share.data());
        jackdaw::writes(rank.data() + first, last - first);
        compute_ranks(first, last, each);
      });
    }
  }

 private:
  neighbour_reads<double> pulled_;

  /// Returns the sum of the dead ends' ranks.
  double lost_rank() const {
    constexpr std::size_t block = 1024;
    const std::span all(dead_ends);
    const auto blocks =
        std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>((all.size() + block - 1) / block));
    return jackdaw::transform_reduce(blocks.begin(), blocks.end(), 0.0, std::plus<>{}, [&](std::uint32_t i) {
      const std::span lost = all.subspan(i * block, std::min(block, all.size() - i * block));
      reads_ranks(lost);
      double sum = 0;
      for (const vertex v : lost) sum += rank[v];
      return sum;
    });
  }

  /// Declares that a task reads the ranks of these vertices, as if they were evenly spread between first and last.
  void reads_ranks(std::span<const vertex> ascending) const {
    jackdaw::reads(ascending);
    const std::size_t steps = std::max<std::size_t>(ascending.size() - 1, 1);
    jackdaw::reads(rank.data() + ascending.front(), ascending.size(), 1,
                   (ascending.back() - ascending.front()) / steps);
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
          .sides = {make_side<jackdaw_pagerank>("jackdaw"), make_side<serial_pagerank>("serial")},
          .alias = "pr",
          .iterates = true};
}

}  // namespace jackdaw::kernels
