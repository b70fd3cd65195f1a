#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/model.hpp"

namespace jackdaw::sim {

/// On which memory nodes pages are put.
struct policy {
  enum class kind : std::uint8_t {
    first_touch,  ///< the allowed node nearest to the core that touches the page first, in simulated time
    interleave,   ///< page number modulo the number of allowed nodes
    bind,         ///< the first allowed node
    weighted,     ///< as many pages as a node's bandwidth is of all allowed nodes' bandwidth, evenly mixed
  };
  kind what = kind::first_touch;
  std::vector<unsigned> nodes =
      {};  ///< that are allowed, none twice; empty: all. Used before others, not instead of them
};

/// Reads "first-touch", "interleave", "weighted", each alone or with the allowed nodes after a colon ("weighted:dram",
/// "interleave:hbm", "first-touch:0,2", "interleave:all"), or "bind:2" with one. Throws error with one line that says
/// what was expected, also for nodes and kinds that the machine does not have.
policy parse_policy(std::string_view text, const machine_model& machine);

}  // namespace jackdaw::sim
