#include "papers/time_model.hpp"

#include <jackdaw/error.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include "analysis/regression.hpp"

namespace jackdaw::cli {
namespace {

/// The part of all memory that is on other sockets.
double elsewhere(const machine_model& on) { return (on.sockets - 1.0) / on.sockets; }

}  // namespace

std::array<double, terms> terms_of(const observation& of) {
  const machine_model& on = *of.on;
  const double workers = of.workers;
  const double waited = (of.local_bytes / on.local_rate + of.remote_bytes / on.remote_rate) / workers;
  double of_nodes = 0, of_links = 0;
  for (const auto& node : on.nodes) of_nodes += node.bandwidth;
  for (const auto& link : on.links) of_links += link.bandwidth;
  const double nodes_take = of_nodes > 0 ? (of.local_bytes + of.remote_bytes) / of_nodes : 0;
  const double links_take = of_links > 0 ? of.remote_bytes / of_links : 0;
  const double far = elsewhere(on);
  const double steal = far * on.cost.steal_remote + (1 - far) * on.cost.steal_local;
  return {of.work / workers, of.span, std::max({waited, nodes_take, links_take}), of.steals * steal / workers};
}

observation carry_over(std::span<const observation> runs, const machine_model& to, unsigned workers, double work,
                       double span) {
  observation made{.on = &to, .workers = workers, .work = work, .span = span};
  const double count = static_cast<double>(runs.size());
  double bytes = 0, part = 0;
  for (const observation& each : runs) {
    const double all = each.local_bytes + each.remote_bytes, far = elsewhere(*each.on);
    bytes += all / count;
    if (all > 0 && far > 0) part += std::min(1.0, each.remote_bytes / all / far) / count;
    made.steals += each.steals / each.workers * workers / count;
  }
  made.remote_bytes = bytes * part * elsewhere(to);
  made.local_bytes = bytes - made.remote_bytes;
  return made;
}

double at_speed(const observation& run, const machine_model& to, unsigned workers) {
  return run.time * (run.workers * run.on->compute_rate) / (workers * to.compute_rate);
}

double greedy_bound(const observation& of) { return of.work / of.workers + of.span; }

time_model::time_model(std::span<const observation> seen) {
  if (seen.size() <= terms) {
    throw error("regression: " + std::to_string(seen.size()) + " observations, expected more than " +
                std::to_string(terms));
  }
  std::vector<std::size_t> used(terms);
  std::iota(used.begin(), used.end(), std::size_t{0});
  const std::vector<double> ones(seen.size(), 1);
  while (!used.empty()) {
    std::vector<std::vector<double>> rows;
    for (const observation& each : seen) {
      const auto all = terms_of(each);
      std::vector<double>& row = rows.emplace_back();
      for (const std::size_t term : used) row.push_back(all[term] / each.time);
    }
    std::vector<double> found;
    try {
      found = analysis::fit_columns(rows, ones);
    } catch (const error&) {
      used.pop_back();  // it tells nothing beyond the terms before it
      continue;
    }
    const auto least = std::min_element(found.begin(), found.end());
    if (*least >= 0) {
      for (std::size_t i = 0; i < used.size(); ++i) factors_[used[i]] = found[i];
      return;
    }
    used.erase(used.begin() + (least - found.begin()));
  }
}

double time_model::time(const observation& of) const {
  const auto all = terms_of(of);
  return std::inner_product(all.begin(), all.end(), factors_.begin(), 0.0);
}

}  // namespace jackdaw::cli
