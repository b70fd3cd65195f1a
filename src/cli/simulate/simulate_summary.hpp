#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cli/simulate/simulate_plan.hpp"

namespace jackdaw::cli {

/// ns that all workers together had nothing to do in the measured part of a run.
double idle_ns(const sim::outcome& run);
/// Bytes from other sockets' caches.
std::uint64_t cache_bytes(const sim::outcome& run);
/// Numbers of steals by distance, nearest first.
std::span<const std::uint64_t> steals_by_distance(const sim::outcome& run);
/// The same of attempts that found nothing.
std::span<const std::uint64_t> failed_by_distance(const sim::outcome& run);

/// One row as the table and the JSON report it: medians over its seeds, of one iteration.
struct simulate_summary {
  double ns = 0, min_ns = 0, max_ns = 0;
  double whole_ns = 0;  ///< of the whole run, with its preparation
  double speedup = 1;   ///< over the row of the first scheduler
  double private_misses = 0, shared_misses = 0;
  double local_bytes = 0, remote_bytes = 0, cache_bytes = 0;
  std::vector<double> steals, failed;           ///< by distance
  double memory = 0, idle = 0;                  ///< part of the workers' time, 0 to 1
  double beside_work = 0;                       ///< of idle: while a task waited that could run
  double longest_beside_work = 0;               ///< ns without a break, in the whole run; the most of all seeds
  double sampled = 0, watching_ns = 0;          ///< pages sampled to find hot data, in the whole run
  double migrated_bytes = 0, migrating_ns = 0;  ///< data moved to another node, in the whole run
  std::vector<double> node_local, node_remote;  ///< bytes by memory node, read by its own socket and by others
};

/// One summary per row, in the rows' order.
std::vector<simulate_summary> summarise(const simulate_result& result);

/// Whether a row's sweep value or placement differs from the row before.
bool begins_part(const simulate_result& result, std::size_t row);

}  // namespace jackdaw::cli
