#include "kernels/components/components.hpp"

#include "kernels/common/graph_loop.hpp"
#include "kernels/common/list.hpp"
#include "kernels/common/scattered_reads.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_components : public components_problem {
 public:
  using components_problem::components_problem;

  void prepare() override {
    edges = placed(edges);
    for_vertices(edges, [this](vertex first, vertex last) {
      jackdaw::writes(label.data() + first, last - first);
      if (rounds != 0) jackdaw::writes(other.data() + first, last - first);
      reset(first, last);
      asked_.learn(edges, first, last);
    });
  }

  void run() override {
    if (rounds != 0) return run_rounds();
    // The trees that are climbed are declared only in part: the range's own vertices and their neighbours.
    for_vertices(edges, [this](vertex first, vertex last) {
      reads_edges(edges, first, last);
      touches_labels(first, last);
      asked_.declare(edges, first, last, label.data());
      hook(first, last);
    });
    for_vertices(edges, [this](vertex first, vertex last) {
      touches_labels(first, last);
      flatten(first, last);
    });
  }

 private:
  neighbour_reads<vertex> asked_;

  void run_rounds() {
    for (unsigned t = 0; t != rounds; ++t)
      for_vertices(edges, [this, t](vertex first, vertex last) {
        reads_edges(edges, first, last);
        jackdaw::reads(before(t).data() + first, last - first);
        asked_.declare(edges, first, last, before(t).data());
        jackdaw::writes(before(t + 1).data() + first, last - first);
        spread(t, first, last);
      });
  }

  void touches_labels(vertex first, vertex last) const {
    jackdaw::reads(label.data() + first, last - first);
    jackdaw::writes(label.data() + first, last - first);
  }
};

class serial_components : public components_problem {
 public:
  using components_problem::components_problem;

  void run() override {
    if (rounds == 0) {
      hook(0, edges.vertices());
      flatten(0, edges.vertices());
    }
    for (unsigned t = 0; t != rounds; ++t) spread(t, 0, edges.vertices());
  }
};

}  // namespace

kernel components() {
  return {.name = "components",
          .summary = "Connected components of a graph by lock-free hooking, or in rounds of lowest labels",
          .sizes = graph_sizes(),
          .shapes = names(components_shapes),
          .takes_input = true,
          .sides = {make_side<jackdaw_components>("jackdaw"), make_side<serial_components>("serial")},
          .alias = "cc",
          .iterates = true};
}

}  // namespace jackdaw::kernels
