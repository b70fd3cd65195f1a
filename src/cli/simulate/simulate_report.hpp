#pragma once

#include "cli/simulate/simulate_plan.hpp"
#include "cli/store/result_store.hpp"

namespace jackdaw::cli {

/// A table for people: medians over the seeds, one line a row.
void print_table(const simulate_plan& plan, const simulate_result& result, const stored_as& stored);

/// Everything, every seed by itself. Without the database the same simulation prints the same bytes.
void print_json(const simulate_plan& plan, const simulate_result& result, const stored_as& stored);

}  // namespace jackdaw::cli
