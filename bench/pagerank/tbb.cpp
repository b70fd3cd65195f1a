#include "kernels/pagerank/pagerank.hpp"

#include <oneapi/tbb/parallel_reduce.h>

#include <functional>

#include "bench/graph_tbb.hpp"
#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::vertex;

class problem : public kernels::pagerank_problem {
 public:
  explicit problem(const kernels::request& wanted) : pagerank_problem(wanted), team_(wanted) {}

  void prepare() override {
    team_.run([this] {
      sources = placed(sources, affinity_);
      for_vertices(sources, affinity_, [this](vertex first, vertex last) { reset(first, last); });
    });
  }

  void run() override {
    team_.run([this] {
      for (unsigned t = 0; t != iterations; ++t) {
        for_vertices(sources, shares_affinity_, [this](vertex first, vertex last) { compute_shares(first, last); });
        const double each = base(lost_rank());
        for_vertices(sources, affinity_, [=, this](vertex first, vertex last) { compute_ranks(first, last, each); });
      }
    });
  }

 private:
  double lost_rank() const {
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, dead_ends.size()), 0.0,
        [this](const auto& part, double sum) {
          for (std::size_t i = part.begin(); i != part.end(); ++i) sum += rank[dead_ends[i]];
          return sum;
        },
        std::plus<>{});
  }

  team team_;
  tbb::affinity_partitioner affinity_, shares_affinity_;
};

}  // namespace

kernels::side pagerank() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
