#pragma once

#include <jackdaw/machine.hpp>

#include <vector>

#include "machine/measured_bandwidths.hpp"

namespace jackdaw::probe {

/// The bandwidth of each memory node of this computer when all of its nearest usable cores read, measured for about 100
/// ms per node. Leaves out nodes without memory. Throws error unless `found` is this computer, and if memory cannot be
/// bound to a node; std::bad_alloc if there is too little memory.
std::vector<measured_bandwidth> probe_bandwidths(const machine& found);

}  // namespace jackdaw::probe
