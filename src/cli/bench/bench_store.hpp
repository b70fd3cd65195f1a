#pragma once

#include <cstdint>

#include "cli/bench/bench_run.hpp"
#include "cli/result_file.hpp"

namespace jackdaw::cli {

/// Writes a bench and all its runs into the tables `bench` and `run`, and returns the bench's id. For
/// result_store::add.
std::int64_t insert_bench(const database& into, const bench_plan& plan, const bench_result& result);

}  // namespace jackdaw::cli
