#include "kernels/components/components.hpp"

#include "bench/graph_tbb.hpp"
#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::vertex;

class problem : public kernels::components_problem {
 public:
  explicit problem(const kernels::request& wanted) : components_problem(wanted), team_(wanted) {}

  void prepare() override {
    team_.run([this] {
      edges = placed(edges, affinity_);
      for_vertices(edges, affinity_, [this](vertex first, vertex last) { reset(first, last); });
    });
  }

  void run() override {
    team_.run([this] {
      for (unsigned t = 0; t != rounds; ++t)
        for_vertices(edges, affinity_, [=, this](vertex first, vertex last) { spread(t, first, last); });
      if (rounds != 0) return;
      for_vertices(edges, affinity_, [this](vertex first, vertex last) { hook(first, last); });
      for_vertices(edges, flatten_affinity_, [this](vertex first, vertex last) { flatten(first, last); });
    });
  }

 private:
  team team_;
  tbb::affinity_partitioner affinity_, flatten_affinity_;
};

}  // namespace

kernels::side components() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
