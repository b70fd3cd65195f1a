#include "kernels/components.hpp"

#include "kernels/graph_loop.hpp"
#include "kernels/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_components : public components_problem {
 public:
  using components_problem::components_problem;

  void prepare() override {
    edges = placed(edges);
    for_vertices(edges, [this](vertex first, vertex last) {
      jackdaw::writes(label.data() + first, last - first);
      reset(first, last);
    });
  }

  void run() override {
    // Of the trees that are climbed, only the range's own vertices are declared.
    for_vertices(edges, [this](vertex first, vertex last) {
      reads_edges(edges, first, last);
      touches_labels(first, last);
      hook(first, last);
    });
    for_vertices(edges, [this](vertex first, vertex last) {
      touches_labels(first, last);
      flatten(first, last);
    });
  }

 private:
  void touches_labels(vertex first, vertex last) const {
    jackdaw::reads(label.data() + first, last - first);
    jackdaw::writes(label.data() + first, last - first);
  }
};

class serial_components : public components_problem {
 public:
  using components_problem::components_problem;

  void run() override {
    hook(0, edges.vertices());
    flatten(0, edges.vertices());
  }
};

}  // namespace

kernel components() {
  return {.name = "components",
          .summary = "Connected components of a graph by lock-free hooking",
          .sizes = graph_sizes(),
          .shapes = names(components_shapes),
          .takes_input = true,
          .sides = {make_side<jackdaw_components>("jackdaw"), make_side<serial_components>("serial")}};
}

}  // namespace jackdaw::kernels
