#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jackdaw::malloc {

/// Where the program's memory goes: $JACKDAW_PLACEMENT.
enum class placing : std::uint8_t {
  scheduler,     ///< to the node that the scheduler has chosen for the task that allocates; else as first_touch
  first_touch,   ///< each page to the node of the thread that touches it first
  interleave,    ///< pages to all nodes in turn
  by_bandwidth,  ///< of each large block, one piece to each node, in proportion to the nodes' bandwidths
  fastest        ///< to the nodes of the highest bandwidth, as long as they have room
};

/// Throws jackdaw::error, which names `where` and what was expected.
placing placing_of(std::string_view text, std::string_view where);

/// What the program has asked for.
placing chosen_placing() noexcept;

/// Asks the kernel to put fresh pages there. A refusal is said once; then first touch decides.
void place_fresh(void* data, std::size_t bytes) noexcept;

}  // namespace jackdaw::malloc
