#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/model.hpp"

namespace jackdaw::sim {

/// On which memory nodes pages are placed.
struct policy {
  enum class kind : std::uint8_t {
    first_touch,  ///< the allowed node nearest to the core that touches the page first, in simulated time
    interleave,   ///< page number modulo the number of allowed nodes
    bind,         ///< the first allowed node
    serial,       ///< the first allowed node, too, but only at first: one thread there has touched all data
    weighted,     ///< evenly mixed, each node's share of pages being its share of the allowed nodes' bandwidth
  };
  kind what = kind::first_touch;
  std::vector<unsigned> nodes =
      {};  ///< that are allowed, none twice; empty: all. Used before others, not instead of them
};

/// Parses "first-touch", "interleave" or "weighted", each alone or with the allowed nodes after a colon
/// ("weighted:dram", "interleave:hbm", "first-touch:0,2", "interleave:all"), or "bind:2" or "serial:2" with one node.
/// Data that are bound stay there; those of "serial" may move to other nodes. Throws error with one line that says what
/// was expected, also for nodes and kinds of memory that the machine does not have.
policy parse_policy(std::string_view text, const machine_model& machine);

}  // namespace jackdaw::sim
