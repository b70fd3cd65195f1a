#include <cerrno>

#include "jackdaw/memory/migration.hpp"
#include "jackdaw/memory/page_locations.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "numa/locate.hpp"
#include "numa/node_view.hpp"
#include "numa/placed_registry.hpp"
#include "numa/plan.hpp"

namespace jackdaw {

migration migrate(const void* first, std::size_t bytes, unsigned node) {
  const numa::memory_view view = numa::view_now(*detail::machine_here());
  numa::check_node(node, view, "migrate");
  if (!view.real) {
    // The node exists only in a description.
    migration none{.node = node};
    const page_locations now = where(first, bytes);
    none.failed = bytes;
    none.error = ENODEV;
    if (bytes != 0) none.stayed.push_back({0, bytes, now.shares.empty() ? -2 : static_cast<int>(now.shares[0].node)});
    return none;
  }
  numa::note_placed(first, bytes);
  return numa::move(numa::linux_kernel(), first, bytes, node, base_page_size());
}

}  // namespace jackdaw
