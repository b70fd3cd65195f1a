#include "cli/simulate/simulation_store.hpp"

#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>

#include "cli/simulate/simulate_summary.hpp"

namespace jackdaw::cli {
namespace {

std::int64_t whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

void insert_run(const database& into, std::int64_t simulation, std::size_t position, const simulate_row& row,
                unsigned seed, const sim::outcome& run) {
  const std::int64_t id = into.insert(
      "INSERT INTO simulated_run (simulation, position, sweep_value, placement, scheduler, workers, seed, whole_ns, "
      "iterations, ns_per_iteration, private_misses, shared_misses, local_bytes, remote_bytes, cache_bytes, steals, "
      "failed_steals, migrations, suspensions, sleeps, computing_ns, memory_ns, overhead_ns, idle_ns, rescues, failed) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      {simulation,
       whole(position),
       row.value,
       row.placement,
       row.scheduler,
       run.workers,
       seed,
       run.whole,
       run.measured,
       run.per_iteration(),
       whole(run.data.private_misses),
       whole(run.data.shared_misses),
       whole(run.local_bytes),
       whole(run.remote_bytes),
       whole(cache_bytes(run)),
       fmt::format("[{}]", fmt::join(steals_by_distance(run), ",")),
       whole(run.work.failed_steals),
       whole(run.work.migrations),
       whole(run.work.suspensions),
       whole(run.work.sleeps),
       run.work.computing,
       run.work.memory,
       run.work.overhead,
       idle_ns(run),
       whole(run.work.rescues),
       fmt::format("[{}]", fmt::join(failed_by_distance(run), ","))});
  for (std::size_t node = 0; node < run.data.from_node.size(); ++node) {
    into.insert("INSERT INTO simulated_node VALUES (?, ?, ?, ?, ?)",
                {id, whole(node), whole(run.local_to_node[node]),
                 whole(run.data.from_node[node] - run.local_to_node[node]), whole(run.data.to_node[node])});
  }
}

}  // namespace

std::int64_t insert_simulation(const database& into, const simulate_plan& plan, const simulate_result& result) {
  const std::int64_t simulation =
      into.insert("INSERT INTO simulation VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  {result.started, JACKDAW_VERSION, result.program, plan.trace, plan.kernel ? plan.recordings : 0U,
                   plan.machine.name, plan.machine.file, plan.sweep ? std::string_view(plan.sweep->key) : "",
                   name_of(plan.scatter ? placement_order::scatter : placement_order::compact), plan.seed, plan.seeds});
  for (std::size_t position = 0; position < result.rows.size(); ++position) {
    const simulate_row& row = result.rows[position];
    for (unsigned i = 0; i < row.runs.size(); ++i) {
      insert_run(into, simulation, position, row, plan.seed + i, row.runs[i]);
    }
  }
  return simulation;
}

}  // namespace jackdaw::cli
