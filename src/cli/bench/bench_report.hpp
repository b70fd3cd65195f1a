#pragma once

#include "cli/bench/bench_run.hpp"
#include "cli/result_file.hpp"

namespace jackdaw::cli {

void print_table(const bench_plan& plan, const bench_result& result, const stored_as& stored);
void print_json(const bench_plan& plan, const bench_result& result, const stored_as& stored);

}  // namespace jackdaw::cli
