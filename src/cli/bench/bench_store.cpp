#include "cli/bench/bench_store.hpp"

#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>

#include <string>
#include <vector>

#include "cli/bench/bench_counters.hpp"

namespace jackdaw::cli {
namespace {

/// The INSERT of a run and of all its counters.
std::string insert_run() {
  std::string columns = "bench, position, round, side, scheduler, workers, seconds, items, items_unit";
  std::string places = "?, ?, ?, ?, ?, ?, ?, ?, ?";
  for (const bench_counter& each : bench_counters) {
    columns += fmt::format(", {}", each.name);
    places += ", ?";
  }
  return fmt::format("INSERT INTO run ({}) VALUES ({})", columns, places);
}

database::value text_or_null(const std::string& text) {
  return text.empty() ? database::value() : std::string_view(text);
}

}  // namespace

std::int64_t insert_bench(const database& into, const bench_plan& plan, const bench_result& result) {
  const std::int64_t bench = into.insert(
      "INSERT INTO bench VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {result.started, JACKDAW_VERSION, plan.kernel->name, plan.request.size, plan.request.shape,
       plan.request.input.native(), plan.request.iterations, plan.request.workers, name_of(plan.runtime_options.order),
       result.pinned, plan.repeat, plan.warm_up, plan.pause_ms, result.machine_name, result.machine_source});
  const std::string run = insert_run();
  for (std::size_t position = 0; position < result.sides.size(); ++position) {
    const side_result& side = result.sides[position];
    for (std::size_t round = 0; round < side.samples.size(); ++round) {
      const bench_sample& sample = side.samples[round];
      std::vector<database::value> row{bench,
                                       static_cast<std::int64_t>(position),
                                       static_cast<std::int64_t>(round + 1),
                                       side.side,
                                       text_or_null(side.scheduler),
                                       side.workers,
                                       sample.seconds,
                                       side.items,
                                       side.unit};
      for (const bench_counter& each : bench_counters) {
        row.push_back(sample.counters ? static_cast<std::int64_t>((*sample.counters).*each.member) : database::value());
      }
      into.insert(run.c_str(), row);
    }
  }
  return bench;
}

}  // namespace jackdaw::cli
