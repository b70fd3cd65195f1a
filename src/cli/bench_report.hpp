#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/bench_run.hpp"

namespace jackdaw::cli {

/// Where the runs of a bench were stored.
struct stored_as {
  std::string file;
  std::optional<std::int64_t> bench;  ///< id in its table `bench`; none: they could not be stored
};

void print_table(const bench_plan& plan, const bench_result& result, const stored_as& stored);
void print_json(const bench_plan& plan, const bench_result& result, const stored_as& stored);

}  // namespace jackdaw::cli
