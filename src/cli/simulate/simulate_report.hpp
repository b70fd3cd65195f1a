#pragma once

#include "cli/result_file.hpp"
#include "cli/simulate/simulate_plan.hpp"

namespace jackdaw::cli {

/// Prints a table: medians over the seeds, one line per row; with `counters` also each row's attempts to steal.
void print_table(const simulate_plan& plan, const simulate_result& result, bool counters, const stored_as& stored);

/// Prints everything, including every seed's result. Apart from the database, the same simulation prints the same
/// bytes.
void print_json(const simulate_plan& plan, const simulate_result& result, const stored_as& stored);

}  // namespace jackdaw::cli
