#include "runtime/run_rows.hpp"

namespace jackdaw::detail {
namespace {

template <class T>
store::rows_of<T> all_of(const std::vector<T>& rows) noexcept {
  return {rows.data(), rows.size()};
}

}  // namespace

void run_rows::add_worker(std::int64_t id, const worker_place& at, const statistics& of, double busy, double search,
                          double sleep) {
  using number = store::execution::number;
  const auto whole = [](std::uint64_t count) { return static_cast<number>(count); };
  workers.push_back({.id = id,
                     .os_cpu = at.os_cpu ? number{*at.os_cpu} : store::execution::no_number,
                     .core = at.core,
                     .cache = at.l3_group,
                     .package = at.package,
                     .node = at.numa_node,
                     .tasks = whole(of.tasks),
                     .roots = whole(of.roots),
                     .steals_core = whole(of.steals_core),
                     .steals_cache = whole(of.steals_cache),
                     .steals_package = whole(of.steals_local - of.steals_core - of.steals_cache),
                     .steals_remote = whole(of.steals_remote),
                     .failed_local = whole(of.failed_steals - of.failed_remote),
                     .failed_remote = whole(of.failed_remote),
                     .at_home = whole(of.at_home),
                     .away = whole(of.away),
                     .migrations = whole(of.migrations),
                     .suspensions = whole(of.suspensions),
                     .sleeps = whole(of.sleeps),
                     .rescues = whole(of.rescues),
                     .busy_ns = busy,
                     .search_ns = search,
                     .sleep_ns = sleep,
                     .overhead_ns = store::execution::not_known,
                     .memory_ns = store::execution::not_known,
                     .local_bytes = 0,
                     .remote_bytes = 0});
}

void run_rows::add_nodes(const machine& where) {
  for (const machine::node& each : where.nodes) {
    nodes.push_back(
        {.index = each.index,
         .kind = text(each.kind),
         .package = package_of(where, each.index),
         .capacity = each.capacity != 0 ? static_cast<std::int64_t>(each.capacity) : store::execution::no_number,
         .bandwidth = each.bandwidth ? *each.bandwidth * 1048576 : store::execution::not_known});
  }
}

const store::execution& run_rows::point() noexcept {
  whole.workers = all_of(workers);
  whole.steals = all_of(steals);
  whole.nodes = all_of(nodes);
  whole.arrays = all_of(arrays);
  whole.traffics = all_of(traffics);
  whole.places = all_of(places);
  whole.shares = all_of(shares);
  whole.iterations = all_of(iterations);
  whole.decisions = all_of(decisions);
  whole.tasks = all_of(tasks);
  return whole;
}

std::int64_t run_rows::package_of(const machine& where, unsigned node) noexcept {
  const machine::node& of = where.nodes[node];
  if (!of.cores.empty()) return where.cores[of.cores.front()].package;
  for (const machine::cpu& each : where.cpus) {
    if (each.core && !of.local_cpus.empty() && each.os_index == of.local_cpus.front()) {
      return where.cores[*each.core].package;
    }
  }
  return store::execution::no_number;
}

}  // namespace jackdaw::detail
