#include "kernels/pagerank/pagerank.hpp"

#include "bench/graph_openmp.hpp"
#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::vertex;

class problem : public kernels::pagerank_problem {
 public:
  explicit problem(const kernels::request& wanted) : pagerank_problem(wanted), threads_(threads(wanted)) {}

  void prepare() override {
    sources = placed(sources, threads_);
    for_vertices(sources, threads_, [this](vertex first, vertex last) { reset(first, last); });
  }

  void run() override {
    for (unsigned t = 0; t != iterations; ++t) {
      for_vertices(sources, threads_, [this](vertex first, vertex last) { compute_shares(first, last); });
      const double each = base(lost_rank());
      for_vertices(sources, threads_, [=, this](vertex first, vertex last) { compute_ranks(first, last, each); });
    }
  }

 private:
  double lost_rank() const {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads_)
    for (std::size_t i = 0; i < dead_ends.size(); ++i) sum += rank[dead_ends[i]];
    return sum;
  }

  const int threads_;
};

}  // namespace

kernels::side pagerank() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
