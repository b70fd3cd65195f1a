#include "kernels/components/components.hpp"

#include "bench/graph_openmp.hpp"
#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::vertex;

class problem : public kernels::components_problem {
 public:
  explicit problem(const kernels::request& wanted) : components_problem(wanted), threads_(threads(wanted)) {}

  void prepare() override {
    edges = placed(edges, threads_);
    for_vertices(edges, threads_, [this](vertex first, vertex last) { reset(first, last); });
  }

  void run() override {
    if (rounds != 0) return run_rounds();
    for_vertices(edges, threads_, [this](vertex first, vertex last) { hook(first, last); });
    for_vertices(edges, threads_, [this](vertex first, vertex last) { flatten(first, last); });
  }

 private:
  void run_rounds() {
    for (unsigned t = 0; t != rounds; ++t)
      for_vertices(edges, threads_, [=, this](vertex first, vertex last) { spread(t, first, last); });
  }

  const int threads_;
};

}  // namespace

kernels::side components() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
