#pragma once

#include <cstdint>

#include "cli/result_file.hpp"
#include "cli/simulate/simulate_plan.hpp"

namespace jackdaw::cli {

/// Writes a simulation and its runs into the tables `simulation`, `simulated_run` and `simulated_node`, and returns the
/// simulation's id. For result_store::add.
std::int64_t insert_simulation(const database& into, const simulate_plan& plan, const simulate_result& result);

}  // namespace jackdaw::cli
