#include "cli/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

/// A figure of a row: the median over its seeds, each divided by the iterations measured.
double median(const simulate_row& row, const std::function<double(const sim::outcome&)>& figure) {
  std::vector<double> values;
  for (const sim::outcome& run : row.runs) values.push_back(figure(run));
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string mib(double bytes) { return fmt::format("{:.1f}", bytes / (1 << 20)); }

/// "12/3/40": by distance, the nearest first.
std::string steals_text(const simulate_row& row) {
  std::string text;
  for (std::size_t distance = 1; distance < row.runs.front().work.steals.size(); ++distance) {
    const double steals = median(
        row, [&](const sim::outcome& run) { return static_cast<double>(run.work.steals[distance]) / run.measured; });
    text += fmt::format("{}{:.0f}", text.empty() ? "" : "/", steals);
  }
  return text;
}

void print_nodes(const simulate_row& row, std::size_t width) {
  fmt::print("  {:<{}}", row.scheduler, width);
  const std::size_t nodes = row.runs.front().data.from_node.size();
  for (std::size_t node = 0; node < nodes; ++node) {
    const double all = median(
        row, [&](const sim::outcome& run) { return static_cast<double>(run.data.from_node[node]) / run.measured; });
    const double local = median(
        row, [&](const sim::outcome& run) { return static_cast<double>(run.local_to_node[node]) / run.measured; });
    fmt::print("  {}: {} + {}", node, mib(local), mib(all - local));
  }
  const double caches = median(row, [](const sim::outcome& run) {
    double sum = 0;
    for (const std::uint64_t bytes : run.data.from_socket) sum += static_cast<double>(bytes);
    return sum / run.measured;
  });
  fmt::print("  other sockets' caches: {}\n", mib(caches));
}

}  // namespace

void print_table(const simulate_plan& plan, const simulate_result& result) {
  std::size_t width = 9;
  for (const simulate_row& row : result.rows) width = std::max(width, row.scheduler.size());
  fmt::print("{}\non {} (simulated: {})\n", result.program, result.machine_name, plan.machine.file);
  const simulate_row* first = nullptr;
  const simulate_row* last = nullptr;
  for (const simulate_row& row : result.rows) {
    if (last == nullptr || row.value != last->value || row.placement != last->placement) {
      if (last != nullptr) fmt::print("\n");
      fmt::print("\n{}{}, {}\n", plan.sweep ? fmt::format("{}={}, ", plan.sweep->key, row.value) : "",
                 count_text(row.workers, "worker"), row.placement);
      fmt::print("{:<{}} {:>12} {:>16} {:>7} {:>11} {:>11} {:>11} {:>11} {:>14} {:>6} {:>6}\n", "scheduler", width,
                 "us", "spread", "speedup", "private", "shared", "local", "remote", "steals", "wait %", "idle %");
      first = &row;
    }
    last = &row;
    const auto per = [&](auto figure) {
      return median(row, [&](const sim::outcome& run) { return static_cast<double>(figure(run)) / run.measured; });
    };
    const double time = median(row, [](const sim::outcome& run) { return run.per_iteration(); });
    const double base = median(*first, [](const sim::outcome& run) { return run.per_iteration(); });
    const auto [least, most] = std::minmax_element(
        row.runs.begin(), row.runs.end(),
        [](const sim::outcome& a, const sim::outcome& b) { return a.per_iteration() < b.per_iteration(); });
    const double waiting =
        median(row, [](const sim::outcome& run) { return run.work.memory / (run.time * run.workers); });
    fmt::print("{:<{}} {:>12.1f} {:>16} {:>7.2f} {:>11.0f} {:>11.0f} {:>11} {:>11} {:>14} {:>6.1f} {:>6.1f}\n",
               row.scheduler, width, time * 1e-3,
               fmt::format("{:.1f}-{:.1f}", least->per_iteration() * 1e-3, most->per_iteration() * 1e-3), base / time,
               per([](const sim::outcome& run) { return run.data.private_misses; }),
               per([](const sim::outcome& run) { return run.data.shared_misses; }),
               mib(per([](const sim::outcome& run) { return run.local_bytes; })),
               mib(per([](const sim::outcome& run) { return run.remote_bytes; })), steals_text(row), waiting * 100,
               median(row, [](const sim::outcome& run) { return run.idle(); }) * 100);
  }
  fmt::print("\nMiB from each memory node, read by its own socket + by others:\n");
  for (const simulate_row& row : result.rows) print_nodes(row, width);
  const sim::outcome& any = result.rows.front().runs.front();
  if (any.iterations.empty()) {
    fmt::print("\nAll figures are of the whole run");
  } else {
    fmt::print("\nAll figures are of one iteration, the mean of the last {} of {}", any.measured,
               any.iterations.size());
  }
  fmt::print(": medians of {}, all simulated.\n", count_text(plan.seeds, "seed"));
  fmt::print(
      "speedup: over the first scheduler; private, shared: cache misses in lines of 64 bytes, shared ones in the\n"
      "whole socket; local, remote: MiB moved from memory of the own socket, from other sockets' memory and\n"
      "caches; steals: by distance; wait, idle: part of the workers' time.\n");
}

}  // namespace jackdaw::cli
