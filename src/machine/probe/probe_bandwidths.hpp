#pragma once

#include <jackdaw/machine.hpp>

#include <vector>

#include "machine/measured_bandwidths.hpp"

namespace jackdaw::probe {

/// What each memory node of this computer gives its nearest usable cores when all of them read, for some 100 ms a node.
/// Nodes without memory are left out. Throws error unless `found` is this computer, and where memory cannot be bound to
/// a node; std::bad_alloc where there is too little of it.
std::vector<measured_bandwidth> probe_bandwidths(const machine& found);

}  // namespace jackdaw::probe
