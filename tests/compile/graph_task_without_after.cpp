// first: task_graph::add: the tasks before this one are named by after\(...\)
#include "jackdaw/jackdaw.hpp"

void f(jackdaw::task_graph& graph) {
  const jackdaw::graph_task first = graph.add([] {});
  graph.add([] {}, first);
}
