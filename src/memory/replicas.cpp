#include "jackdaw/error.hpp"
#include "jackdaw/memory/replicated.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "numa/node_view.hpp"

namespace jackdaw::detail {

std::vector<unsigned> nodes_to_replicate_on() {
  std::vector<unsigned> nodes, others;
  for (const numa::node_view& node : numa::view_now(*detail::machine_here()).nodes) {
    if (!node.allowed) continue;
    (node.cpus.empty() ? others : nodes).push_back(node.os);
  }
  if (nodes.empty()) nodes = others;
  if (nodes.empty()) throw error("replicated: no memory node is allowed here, expected a cpuset with at least one");
  return nodes;
}

}  // namespace jackdaw::detail
