#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jackdaw/memory/placement.hpp"
#include "jackdaw/memory/placement_report.hpp"
#include "numa/node_view.hpp"
#include "numa/page_sizes.hpp"

namespace jackdaw::numa {

/// A part of at least this many huge pages is off by at most 3% when it begins and ends at a huge page.
inline constexpr std::size_t least_huge_pages = 16;

/// Consecutive pages that reach their nodes in the same way.
struct planned_piece {
  enum class way { first_touch, prefer, interleave, weighted };

  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::vector<unsigned> nodes = {};  ///< one for `prefer`, none for first_touch
  way how = way::first_touch;

  bool operator==(const planned_piece&) const = default;
};

/// The requests to the kernel for one object, none of which has been made yet.
struct plan {
  std::size_t bytes = 0;  ///< whole base pages
  std::size_t page = 0;   ///< bytes of the pages at which pieces begin and end
  std::vector<planned_piece> pieces = {};
  bandwidth_source bandwidth = bandwidth_source::not_needed;
  std::vector<std::string> notes = {};
};

/// The workers that will use the object.
struct users {
  unsigned workers = 1;
  bool backwards = false;  ///< loops give their first blocks to the last workers
};

/// Divides `bytes` >= 1 bytes among nodes. Throws error for nodes that do not exist or are not allowed, if no node is
/// allowed, and for a budget below a page.
plan make_plan(const placement& how, std::size_t bytes, const memory_view& view, const page_sizes& sizes,
               const users& by);

/// "node 0", "nodes 0, 1, 4".
std::string nodes_text(const std::vector<unsigned>& nodes);

/// Throws error unless the node exists and may be used; its one line names `who`, the caller.
void check_node(unsigned node, const memory_view& view, const std::string& who);

}  // namespace jackdaw::numa
