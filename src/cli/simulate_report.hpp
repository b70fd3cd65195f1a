#pragma once

#include "cli/simulate_plan.hpp"

namespace jackdaw::cli {

/// A table for people: medians over the seeds, one line a row.
void print_table(const simulate_plan& plan, const simulate_result& result);

}  // namespace jackdaw::cli
