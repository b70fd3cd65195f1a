#include "cli/bench/bench_store.hpp"

#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/bench/bench_counters.hpp"
#include "runtime/run_rows.hpp"
#include "store/execution_store.hpp"

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

/// Stores what each worker of a side did in the last round, as an execution.
void insert_last_round(const database& into, std::int64_t bench, std::size_t position, const bench_plan& plan,
                       const bench_result& result) {
  const side_result& side = result.sides[position];
  const std::string program = fmt::format("{} --size {}", plan.kernel->name, plan.request.size);
  store::execution whole;
  whole.started = result.started.c_str();
  whole.program = program.c_str();
  whole.scheduler = side.scheduler.c_str();
  whole.machine = result.machine_name.c_str();
  whole.machine_source = result.machine_source.c_str();
  whole.seconds = side.samples.back().seconds;
  whole.bench = bench;
  whole.position = static_cast<std::int64_t>(position);
  whole.round = static_cast<std::int64_t>(side.samples.size());
  detail::run_rows rows;
  for (std::size_t id = 0; id < side.of_workers.size() && id < side.places.size(); ++id) {
    const statistics& counted = side.of_workers[id];
    const double ns = whole.seconds * 1e9, search = std::min(ns, static_cast<double>(counted.search_ns));
    const double sleep = std::min(ns - search, static_cast<double>(counted.sleep_ns));
    rows.add_worker(static_cast<std::int64_t>(id), side.places[id], counted, ns - search - sleep, search, sleep);
    rows.workers.back().local_bytes = static_cast<std::int64_t>(counted.local_bytes);
    rows.workers.back().remote_bytes = static_cast<std::int64_t>(counted.remote_bytes);
  }
  rows.add_nodes(result.where);
  rows.whole = whole;
  store::insert_execution(into, rows.point());
}

}  // namespace

std::int64_t insert_bench(const database& into, const bench_plan& plan, const bench_result& result) {
  const std::int64_t bench =
      into.insert("INSERT INTO bench VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  {result.started, JACKDAW_VERSION, plan.kernel->name, plan.request.size, plan.request.shape,
                   plan.request.input.native(), plan.request.iterations, plan.request.workers,
                   name_of(plan.runtime_options.order.value_or(placement_order::scatter)), result.pinned, plan.repeat,
                   plan.warm_up, plan.pause_ms, result.machine_name, result.machine_source});
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
    if (!side.of_workers.empty() && !side.samples.empty()) insert_last_round(into, bench, position, plan, result);
  }
  return bench;
}

}  // namespace jackdaw::cli
