#pragma once

#include "machine/model.hpp"

namespace jackdaw::cli {

/// Prints a machine as one JSON object: its cores, their rates, what steals cost, and for each memory node the latency
/// and the rate of one core, from each socket. ns and GB/s, as in machine files.
void print_machine_json(const machine_model& model);

}  // namespace jackdaw::cli
