#pragma once

#include <mimalloc.h>

namespace jackdaw::malloc {

/// The heaps for small blocks. Each thread has one for blocks without a node, and one for each node that it has
/// allocated on. The pages of a node's heaps come from one range of addresses that is bound to the node, and no other
/// heap may use them. So a block that was freed is only used again on its node, whoever freed it.
///
/// mimalloc does the rest: a block may be freed by any thread, and goes back to the heap that it came from.
class node_heaps {
 public:
  /// Nodes with a greater number have no heaps.
  static constexpr int most_nodes = 64;

  /// From now on the calling thread allocates on that node. Negative: on none.
  static void choose(int node) noexcept;
  /// The node that the calling thread allocates on; negative: none.
  static int chosen() noexcept;
  /// The heap of the calling thread. It is one without a node if the system has no addresses left for the node.
  static mi_heap_t* current() noexcept;
};

}  // namespace jackdaw::malloc
