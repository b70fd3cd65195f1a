#include "cli/simulate/simulate_summary.hpp"

#include <algorithm>
#include <numeric>

#include "cli/median.hpp"

namespace jackdaw::cli {
namespace {

/// Counts by distance without those at distance 0, which no steal has.
std::span<const std::uint64_t> to_others(const std::vector<std::uint64_t>& by_distance) {
  return std::span(by_distance).subspan(std::min<std::size_t>(1, by_distance.size()));
}

simulate_summary summarise(const simulate_row& row) {
  const auto over_seeds = [&](auto figure) {
    std::vector<double> values;
    values.reserve(row.runs.size());
    for (const sim::outcome& run : row.runs) values.push_back(static_cast<double>(figure(run)));
    return values;
  };
  const auto per_iteration = [&](auto figure) {
    return median(over_seeds([&](const sim::outcome& run) { return static_cast<double>(figure(run)) / run.measured; }));
  };
  simulate_summary s;
  const std::vector<double> times = over_seeds([](const sim::outcome& run) { return run.per_iteration(); });
  s.ns = median(times);
  s.min_ns = *std::min_element(times.begin(), times.end());
  s.max_ns = *std::max_element(times.begin(), times.end());
  s.whole_ns = median(over_seeds([](const sim::outcome& run) { return run.whole; }));
  s.private_misses = per_iteration([](const sim::outcome& run) { return run.data.private_misses; });
  s.shared_misses = per_iteration([](const sim::outcome& run) { return run.data.shared_misses; });
  s.local_bytes = per_iteration([](const sim::outcome& run) { return run.local_bytes; });
  s.remote_bytes = per_iteration([](const sim::outcome& run) { return run.remote_bytes; });
  s.cache_bytes = per_iteration([](const sim::outcome& run) { return cache_bytes(run); });
  for (std::size_t at = 0; at < steals_by_distance(row.runs.front()).size(); ++at) {
    s.steals.push_back(per_iteration([&](const sim::outcome& run) { return steals_by_distance(run)[at]; }));
    s.failed.push_back(per_iteration([&](const sim::outcome& run) { return failed_by_distance(run)[at]; }));
  }
  s.memory = median(over_seeds([](const sim::outcome& run) {
    return run.time > 0 ? std::max(0.0, run.work.memory / (run.time * run.workers)) : 0;
  }));
  s.idle = median(over_seeds([](const sim::outcome& run) { return run.idle(); }));
  s.beside_work = median(over_seeds([](const sim::outcome& run) {
    return run.time > 0 ? std::max(0.0, run.work.beside_work / (run.time * run.workers)) : 0;
  }));
  const std::vector<double> longest = over_seeds([](const sim::outcome& run) { return run.longest_beside_work; });
  s.longest_beside_work = *std::max_element(longest.begin(), longest.end());
  const auto whole = [&](auto figure) {
    return median(over_seeds([&](const sim::outcome& run) { return run.balancing.*figure; }));
  };
  s.sampled = whole(&sim::balancing_cost::sampled);
  s.watching_ns = whole(&sim::balancing_cost::watching);
  s.migrated_bytes = whole(&sim::balancing_cost::moved);
  s.migrating_ns = whole(&sim::balancing_cost::moving);
  for (std::size_t node = 0; node < row.runs.front().data.from_node.size(); ++node) {
    s.node_local.push_back(per_iteration([&](const sim::outcome& run) { return run.local_to_node[node]; }));
    s.node_remote.push_back(
        per_iteration([&](const sim::outcome& run) { return run.data.from_node[node] - run.local_to_node[node]; }));
  }
  return s;
}

}  // namespace

double idle_ns(const sim::outcome& run) { return run.idle() * run.time * run.workers; }

std::uint64_t cache_bytes(const sim::outcome& run) {
  return std::accumulate(run.data.from_socket.begin(), run.data.from_socket.end(), std::uint64_t{0});
}

std::span<const std::uint64_t> steals_by_distance(const sim::outcome& run) { return to_others(run.work.steals); }

std::span<const std::uint64_t> failed_by_distance(const sim::outcome& run) { return to_others(run.work.failed); }

std::vector<simulate_summary> summarise(const simulate_result& result) {
  std::vector<simulate_summary> all;
  double base = 0;
  for (std::size_t row = 0; row < result.rows.size(); ++row) {
    all.push_back(summarise(result.rows[row]));
    if (begins_part(result, row)) base = all.back().ns;
    if (all.back().ns > 0) all.back().speedup = base / all.back().ns;
  }
  return all;
}

bool begins_part(const simulate_result& result, std::size_t row) {
  if (row == 0) return true;
  const simulate_row &before = result.rows[row - 1], &here = result.rows[row];
  return here.value != before.value || here.placement != before.placement;
}

}  // namespace jackdaw::cli
