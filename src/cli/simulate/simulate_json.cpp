#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>
#include <nlohmann/json.hpp>

#include "cli/simulate/simulate_report.hpp"
#include "cli/simulate/simulate_summary.hpp"

namespace jackdaw::cli {
namespace {

using nlohmann::json;

json summary_json(const simulate_summary& row) {
  json nodes = json::array();
  for (std::size_t node = 0; node < row.node_local.size(); ++node) {
    nodes.push_back({{"local_bytes", row.node_local[node]}, {"remote_bytes", row.node_remote[node]}});
  }
  return {{"ns", row.ns},
          {"min_ns", row.min_ns},
          {"max_ns", row.max_ns},
          {"speedup", row.speedup},
          {"private_misses", row.private_misses},
          {"shared_misses", row.shared_misses},
          {"local_bytes", row.local_bytes},
          {"remote_bytes", row.remote_bytes},
          {"cache_bytes", row.cache_bytes},
          {"steals", row.steals},
          {"failed", row.failed},
          {"memory", row.memory},
          {"idle", row.idle},
          {"nodes", nodes}};
}

json run_json(unsigned seed, const sim::outcome& run) {
  json nodes = json::array();
  for (std::size_t node = 0; node < run.data.from_node.size(); ++node) {
    nodes.push_back({{"local_bytes", run.local_to_node[node]},
                     {"remote_bytes", run.data.from_node[node] - run.local_to_node[node]},
                     {"written_bytes", run.data.to_node[node]}});
  }
  const auto steals = steals_by_distance(run), failed = failed_by_distance(run);
  return {{"seed", seed},
          {"whole_ns", run.whole},
          {"iterations_ns", run.iterations},
          {"measured_iterations", run.measured},
          {"region", run.region},
          {"ns", run.time},
          {"ns_per_iteration", run.per_iteration()},
          {"lines", run.data.lines},
          {"private_misses", run.data.private_misses},
          {"shared_misses", run.data.shared_misses},
          {"private_bytes", run.data.from_private},
          {"shared_bytes", run.data.from_shared},
          {"local_bytes", run.local_bytes},
          {"remote_bytes", run.remote_bytes},
          {"cache_bytes", cache_bytes(run)},
          {"steals", std::vector<std::uint64_t>(steals.begin(), steals.end())},
          {"failed_steals", run.work.failed_steals},
          {"failed", std::vector<std::uint64_t>(failed.begin(), failed.end())},
          {"migrations", run.work.migrations},
          {"suspensions", run.work.suspensions},
          {"sleeps", run.work.sleeps},
          {"rescues", run.work.rescues},
          {"leaves", run.work.leaves},
          {"forks", run.work.forks},
          {"computing_ns", run.work.computing},
          {"memory_ns", run.work.memory},
          {"overhead_ns", run.work.overhead},
          {"idle_ns", idle_ns(run)},
          {"beside_work_ns", run.work.beside_work},
          {"longest_beside_work_ns", run.longest_beside_work},
          {"sampled_pages", run.balancing.sampled},
          {"watching_ns", run.balancing.watching},
          {"migrated_bytes", run.balancing.moved},
          {"migrating_ns", run.balancing.moving},
          {"events", run.events},
          {"block_accesses", run.accesses},
          {"nodes", nodes}};
}

}  // namespace

void print_json(const simulate_plan& plan, const simulate_result& result, const stored_as& stored) {
  const std::vector<simulate_summary> summaries = summarise(result);
  json rows = json::array();
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const simulate_row& row = result.rows[i];
    json runs = json::array();
    for (unsigned at = 0; at < row.runs.size(); ++at) runs.push_back(run_json(plan.seed + at, row.runs[at]));
    rows.push_back({{"value", plan.sweep ? json(row.value) : json(nullptr)},
                    {"placement", row.placement},
                    {"scheduler", row.scheduler},
                    {"workers", row.workers},
                    {"median", summary_json(summaries[i])},
                    {"runs", runs}});
  }
  const machine_model& machine = plan.machine;
  json everything = {
      {"version", JACKDAW_VERSION},
      {"kind", "simulated"},
      {"program", result.program},
      {"trace", plan.kernel ? json(nullptr) : json(plan.trace)},
      {"recordings", plan.kernel ? plan.recordings : 0},
      {"machine",
       {{"name", machine.name},
        {"description", machine.description},
        {"file", machine.file},
        {"sockets", machine.sockets},
        {"cores", machine.cores()},
        {"nodes", machine.nodes.size()}}},
      {"order", name_of(plan.scatter ? placement_order::scatter : placement_order::compact)},
      {"sweep", plan.sweep ? json{{"key", plan.sweep->key}, {"values", plan.sweep->values}} : json(nullptr)},
      {"first_seed", plan.seed},
      {"seeds", plan.seeds},
      {"rows", rows},
  };
  if (!stored.file.empty()) {
    everything["database"] = {{"file", stored.file}, {"simulation", stored.id ? json(*stored.id) : json(nullptr)}};
  }
  fmt::print("{}\n", everything.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace jackdaw::cli
