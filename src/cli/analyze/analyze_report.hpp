#pragma once

#include <string>

#include "cli/analyze/analysis.hpp"
#include "cli/simulate/simulate_plan.hpp"

namespace jackdaw::cli {

/// The request to `jackdaw analyze`, and what it analysed.
struct analyzed {
  const simulate_plan& plan;
  std::string program;
  sched::settings told;
  program_analysis found;
};

void print_text(const analyzed& what);
void print_json(const analyzed& what);

}  // namespace jackdaw::cli
