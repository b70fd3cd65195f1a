#include "kernels/labelprop/labelprop.hpp"

#include "kernels/common/graph_loop.hpp"
#include "kernels/common/list.hpp"
#include "kernels/common/scattered_reads.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_labelprop : public labelprop_problem {
 public:
  using labelprop_problem::labelprop_problem;

  void prepare() override {
    edges = placed(edges);
    for_vertices(edges, [this](vertex first, vertex last) {
      for (const buffer<vertex>& each : labels) jackdaw::writes(each.data() + first, last - first);
      reset(first, last);
      asked_.learn(edges, first, last);
    });
  }

  void run() override {
    for (unsigned t = 0; t != rounds; ++t)
      for_vertices(edges, [this, t](vertex first, vertex last) {
        reads_edges(edges, first, last);
        asked_.declare(edges, first, last, labels[t % 2].data());
        jackdaw::writes(labels[(t + 1) % 2].data() + first, last - first);
        vote(t, first, last);
      });
  }

 private:
  neighbour_reads<vertex> asked_;
};

class serial_labelprop : public labelprop_problem {
 public:
  using labelprop_problem::labelprop_problem;

  void run() override {
    for (unsigned t = 0; t != rounds; ++t) vote(t, 0, edges.vertices());
  }
};

}  // namespace

kernel labelprop() {
  return {.name = "labelprop",
          .summary = "Communities of a graph by synchronous label propagation",
          .sizes = graph_sizes(),
          .shapes = names(labelprop_shapes),
          .takes_input = true,
          .sides = {make_side<jackdaw_labelprop>("jackdaw"), make_side<serial_labelprop>("serial")},
          .alias = "lp",
          .iterates = true};
}

}  // namespace jackdaw::kernels
