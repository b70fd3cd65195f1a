#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cli/simulate/simulate_plan.hpp"

namespace jackdaw::cli {

/// ns of the workers' time in a run's measured part in which they had nothing to do, all together.
double idle_ns(const sim::outcome& run);
/// Bytes from other sockets' caches.
std::uint64_t cache_bytes(const sim::outcome& run);
/// How many steals, by distance, the nearest first.
std::span<const std::uint64_t> steals_by_distance(const sim::outcome& run);

/// What the table and the JSON say about one row: medians over its seeds, of one iteration.
struct simulate_summary {
  double ns = 0, min_ns = 0, max_ns = 0;
  double speedup = 1;  ///< over the row of the first scheduler
  double private_misses = 0, shared_misses = 0;
  double local_bytes = 0, remote_bytes = 0, cache_bytes = 0;
  std::vector<double> steals;                   ///< by distance
  double memory = 0, idle = 0;                  ///< part of the workers' time, 0 to 1
  double sampled = 0, watching_ns = 0;          ///< pages, to find out what data are hot; of the whole run
  double migrated_bytes = 0, migrating_ns = 0;  ///< data moved to another node; of the whole run
  std::vector<double> node_local, node_remote;  ///< bytes by memory node, read by its own socket and by others
};

/// One for each row, in their order.
std::vector<simulate_summary> summarise(const simulate_result& result);

/// Whether a row begins another value of the sweep or another placement than the row before.
bool begins_part(const simulate_result& result, std::size_t row);

}  // namespace jackdaw::cli
