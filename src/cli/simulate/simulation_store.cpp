#include "cli/simulate/simulation_store.hpp"

#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/simulate/simulate_summary.hpp"
#include "runtime/run_rows.hpp"
#include "store/execution_store.hpp"

namespace jackdaw::cli {
namespace {

std::int64_t whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

std::int64_t insert_run(const database& into, std::int64_t simulation, std::size_t position, const simulate_row& row,
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
  return id;
}

std::string_view kind_text(machine_model::memory_kind kind) {
  return kind == machine_model::memory_kind::hbm ? "HBM" : kind == machine_model::memory_kind::cxl ? "CXL" : "DRAM";
}

/// Sums of counts by distance: to a worker that shares the last cache, of the same socket, of another one. Simulations
/// do not tell the first two apart where a socket has several caches (`groups`).
struct by_distance {
  std::int64_t cache = 0, package = 0, remote = 0;
};
by_distance divided(const std::vector<std::uint64_t>& counts, bool groups) {
  by_distance sums;
  for (std::size_t at = 1; at < counts.size(); ++at) {
    (at > 1 ? sums.remote : groups ? sums.package : sums.cache) += whole(counts[at]);
  }
  return sums;
}

/// The rows of what the recording names, and of the rest.
void add_arrays(detail::run_rows& to, const sim::outcome& run) {
  using store::execution;
  const auto rest = static_cast<std::int64_t>(run.named.size());
  for (const sim::named_array& each : run.named) {
    const std::int64_t touched =
        each.first_touched_by == sim::named_array::not_known ? execution::no_number : whole(each.first_touched_bytes);
    to.arrays.push_back({each.name.c_str(), 0, "declared", whole(each.bytes), each.first_touched_by, touched});
    for (std::size_t node = 0; node < each.on_node.size(); ++node) {
      if (each.on_node[node] == 0) continue;
      to.places.push_back({&each - run.named.data(), static_cast<std::int64_t>(node), whole(each.on_node[node])});
    }
  }
  bool unnamed = rest == 0;
  for (std::size_t id = 0; id < run.by_worker.size(); ++id) {
    const sim::worker_outcome& each = run.by_worker[id];
    const auto worker = static_cast<std::int64_t>(id);
    std::vector<std::uint64_t> left = each.data.from_node;
    for (const sim::named_use& used : each.named) {
      to.traffics.push_back({used.array, worker, used.node, whole(used.bytes)});
      left[used.node] -= used.bytes;
    }
    for (std::size_t node = 0; node < left.size(); ++node) {
      if (left[node] == 0) continue;
      unnamed = true;
      to.traffics.push_back({rest, worker, static_cast<std::int64_t>(node), whole(left[node])});
    }
  }
  if (unnamed) {
    to.arrays.push_back(
        {rest == 0 ? "all data" : "other data", 0, "declared", 0, execution::no_number, execution::no_number});
  }
}

/// The rows of a simulated run's iterations and decisions; `sites` name the regions.
void add_course(detail::run_rows& to, const std::vector<std::string>& sites, const sim::outcome& run) {
  for (const sim::stretch& each : run.course) {
    const char* const region = each.site == sim::stretch::root ? "" : sites[each.site].c_str();
    to.iterations.push_back({region, 0, each.began, each.ended - each.began});
  }
  for (const sim::decided_at& each : run.decisions) {
    to.decisions.push_back({each.at, each.worker, to.text(std::string(each.what->name)), each.value,
                            to.text(std::string(each.what->in_words(each.value)))});
  }
}

/// Stores what each worker of a simulated run did, as an execution.
void insert_workers(const database& into, std::int64_t run_id, const simulate_plan& plan, const simulate_result& result,
                    const simulate_row& row, const sim::outcome& run) {
  const machine_model& machine = plan.machine;
  detail::run_rows rows;
  rows.whole.started = result.started.c_str();
  rows.whole.kind = "simulated";
  rows.whole.program = result.program.c_str();
  rows.whole.scheduler = row.scheduler.c_str();
  rows.whole.machine = machine.name.c_str();
  rows.whole.machine_source = machine.file.c_str();
  rows.whole.placement = row.placement.c_str();
  rows.whole.seconds = run.whole * 1e-9;
  rows.whole.work_ns = row.work;
  rows.whole.span_ns = row.span;
  rows.whole.burdened_span_ns = row.burdened_span;
  rows.whole.simulated_run = run_id;
  const unsigned group = machine.shared_cache_cores != 0 ? machine.shared_cache_cores : machine.cores_per_socket;
  const bool groups = group < machine.cores_per_socket;
  add_arrays(rows, run);
  for (std::size_t id = 0; id < run.by_worker.size(); ++id) {
    const sim::worker_outcome& each = run.by_worker[id];
    const sim::worker_counters& work = each.work;
    const double busy = work.computing + work.memory + work.overhead;
    const auto [cache, package, remote] = divided(work.steals, groups);
    const by_distance failed = divided(work.failed, groups);
    std::int64_t node = 0, local = 0, far = 0;
    for (std::size_t at = machine.nodes.size(); at-- > 0;) {
      const bool own = machine.nodes[at].socket == each.socket;
      if (own) node = static_cast<std::int64_t>(at);
      if (at >= each.data.from_node.size() || each.data.from_node[at] == 0) continue;
      (own ? local : far) += whole(each.data.from_node[at]);
    }
    for (std::size_t other = 0; other < each.data.from_socket.size(); ++other) {
      (other == each.socket ? local : far) += whole(each.data.from_socket[other]);
    }
    rows.workers.push_back({.id = static_cast<std::int64_t>(id),
                            .os_cpu = store::execution::no_number,
                            .core = each.core,
                            .cache = each.core / group,
                            .package = each.socket,
                            .node = node,
                            .tasks = whole(work.leaves),
                            .roots = 0,
                            .steals_core = 0,
                            .steals_cache = cache,
                            .steals_package = package,
                            .steals_remote = remote,
                            .failed_local = failed.cache + failed.package,
                            .failed_remote = failed.remote,
                            .at_home = 0,
                            .away = 0,
                            .migrations = whole(work.migrations),
                            .suspensions = whole(work.suspensions),
                            .sleeps = whole(work.sleeps),
                            .rescues = whole(work.rescues),
                            .busy_ns = busy,
                            .search_ns = std::max(0.0, run.whole - busy),
                            .sleep_ns = 0,
                            .overhead_ns = work.overhead,
                            .memory_ns = work.memory,
                            .local_bytes = local,
                            .remote_bytes = far});
  }
  for (std::size_t at = 0; at < machine.nodes.size(); ++at) {
    const machine_model::memory_node& each = machine.nodes[at];
    rows.nodes.push_back({.index = static_cast<std::int64_t>(at),
                          .kind = rows.text(std::string(kind_text(each.kind))),
                          .package = each.socket,
                          .capacity = whole(each.capacity),
                          .bandwidth = each.bandwidth * 1e9});
  }
  add_course(rows, row.sites, run);
  store::insert_execution(into, rows.point());
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
      const std::int64_t run = insert_run(into, simulation, position, row, plan.seed + i, row.runs[i]);
      insert_workers(into, run, plan, result, row, row.runs[i]);
    }
  }
  return simulation;
}

}  // namespace jackdaw::cli
