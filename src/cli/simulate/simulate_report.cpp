#include "cli/simulate/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/simulate/simulate_summary.hpp"
#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

constexpr std::size_t widest = 140;
using cells = std::vector<std::string>;

std::string mib(double bytes) { return fmt::format("{:.1f}", bytes / (1 << 20)); }

/// "12/3/40": steals by distance, nearest first.
std::string steals_text(const simulate_summary& row) {
  std::string text;
  for (const double steals : row.steals) text += fmt::format("{}{:.0f}", text.empty() ? "" : "/", steals);
  return text;
}

cells cells_of(const std::string& scheduler, const simulate_summary& row) {
  return {scheduler,
          fmt::format("{:.1f}", row.ns * 1e-3),
          fmt::format("{:.1f}-{:.1f}", row.min_ns * 1e-3, row.max_ns * 1e-3),
          fmt::format("{:.2f}", row.speedup),
          fmt::format("{:.0f}", row.private_misses),
          fmt::format("{:.0f}", row.shared_misses),
          mib(row.local_bytes),
          mib(row.remote_bytes),
          mib(row.cache_bytes),
          steals_text(row),
          fmt::format("{:.1f}", row.memory * 100),
          fmt::format("{:.1f}", row.idle * 100)};
}

/// "0: 3.1+0.5": the nodes that data came from, on as many lines as needed.
void print_nodes(const std::string& scheduler, const simulate_summary& row, std::size_t width) {
  const std::size_t most = std::min(terminal_columns(stdout).value_or(widest), widest);
  std::string line = fmt::format("{:<{}}  ", scheduler, width);
  bool any = false;
  for (std::size_t node = 0; node < row.node_local.size(); ++node) {
    if (row.node_local[node] + row.node_remote[node] == 0) continue;
    any = true;
    const std::string text = fmt::format("  {}: {}+{}", node, mib(row.node_local[node]), mib(row.node_remote[node]));
    if (line.size() + text.size() > most && line.size() > width + 2) {
      say("{}\n", line);
      line.assign(width + 2, ' ');
    }
    line += text;
  }
  say("{}{}\n", line, any ? "" : "  -");
}

/// Counts by distance, nearest first, as local and remote ones.
struct attempts {
  double local = 0, remote = 0;

  explicit attempts(const std::vector<double>& by_distance) {
    for (std::size_t at = 0; at < by_distance.size(); ++at) (at == 0 ? local : remote) += by_distance[at];
  }
};

/// Attempts to steal, those that got something, and false ones, for some rows.
void print_attempts(const simulate_result& result, const std::vector<simulate_summary>& rows, std::size_t first,
                    std::size_t last, std::size_t width) {
  table counts({{width, 0, true}, {14, 2}, {15, 2}, {12, 2}, {13, 2}, {11, 2}, {12, 2}, {8, 2}});
  counts.add({"attempts", "local attempts", "remote attempts", "local steals", "remote steals", "local false",
              "remote false", "remote %"});
  for (std::size_t i = first; i < last; ++i) {
    const attempts got(rows[i].steals), failed(rows[i].failed);
    const double local = got.local + failed.local, remote = got.remote + failed.remote;
    cells line{result.rows[i].scheduler};
    for (const double each : {local, remote, got.local, got.remote, failed.local, failed.remote}) {
      line.push_back(fmt::format("{:.0f}", each));
    }
    line.push_back(local + remote > 0 ? fmt::format("{:.1f}", 100 * remote / (local + remote)) : "-");
    counts.add(std::move(line));
  }
  counts.print();
}

/// For how long workers were idle although a task waited that could run, for some rows.
void print_greed(const simulate_result& result, const std::vector<simulate_summary>& rows, std::size_t first,
                 std::size_t last, std::size_t width) {
  table times({{std::max<std::size_t>(width, 11), 0, true}, {6, 2}, {10, 2}});
  times.add({"beside work", "idle %", "longest us"});
  for (std::size_t i = first; i < last; ++i) {
    times.add({result.rows[i].scheduler, fmt::format("{:.2f}", rows[i].beside_work * 100),
               fmt::format("{:.1f}", rows[i].longest_beside_work * 1e-3)});
  }
  times.print();
}

/// The cost of finding and moving hot data in the whole run; prints nothing if the scheduler did not try.
void print_balancing(const std::string& scheduler, const simulate_summary& row, std::size_t width) {
  if (row.sampled == 0) return;
  say("{:<{}}    {:.0f} pages sampled in {:.2f} ms, {} MiB moved in {:.2f} ms\n", scheduler, width, row.sampled,
      row.watching_ns * 1e-6, mib(row.migrated_bytes), row.migrating_ns * 1e-6);
}

/// What the whole run takes, which has other roots and the first iterations too; nothing if a row is of that.
void print_whole(const simulate_result& result, const std::vector<simulate_summary>& rows, std::size_t first,
                 std::size_t last) {
  const sim::outcome& any = result.rows[first].runs.front();
  if (any.iterations.empty() && any.root.empty()) return;
  std::string line = "whole run, us:";
  for (std::size_t i = first; i < last; ++i)
    line += fmt::format("{} {} {:.1f}", i == first ? "" : ",", result.rows[i].scheduler, rows[i].whole_ns * 1e-3);
  say("{}\n", line);
}

void print_legend(const simulate_plan& plan, const simulate_result& result) {
  const sim::outcome& any = result.rows.front().runs.front();
  std::string measured = any.root.empty() ? "the whole run" : any.root;
  if (!any.iterations.empty())
    measured = fmt::format("one iteration, the mean of the last {} of {}", any.measured, any.iterations.size());
  say("\nSimulated, not measured. All figures are of {}: medians of {}.\n", measured, count_text(plan.seeds, "seed"));
  if (!any.region.empty())
    say("An iteration lasts from the end of one run of the region that is forked at {}\nto the end of the next.\n",
        any.region);
  say("spread: of the seeds; speedup: over the first scheduler; private, shared: cache misses in lines of 64 bytes,\n"
      "shared ones in the whole socket; local: moved from memory of the reader's own socket; remote: from other\n"
      "sockets' memory and caches, the latter again under caches; steals: by distance, the nearest first;\n"
      "wait, idle: part of the workers' time; nodes: MiB from each memory node, read by its own socket + by others.\n");
}

}  // namespace

void print_table(const simulate_plan& plan, const simulate_result& result, bool counters, const stored_as& stored) {
  const std::vector<simulate_summary> rows = summarise(result);
  std::vector<table::column> columns(12, {0, 2, false});
  columns.front() = {0, 0, true};
  table all(columns, 2);
  all.add({"scheduler", "time", "spread", "speedup", "private", "shared", "local", "remote", "caches", "steals", "wait",
           "idle"});
  all.add({"", "us", "us", "", "lines", "lines", "MiB", "MiB", "MiB", "", "%", "%"});
  std::size_t width = std::string_view("scheduler").size();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    all.add(cells_of(result.rows[row].scheduler, rows[row]));
    width = std::max(width, result.rows[row].scheduler.size());
  }

  say("{}\n", result.program);
  say("simulated on {}: {}\n", plan.machine.name, plan.machine.description);
  for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
    const simulate_row& row = result.rows[first];
    say("\n{}{}, {}\n", plan.sweep ? fmt::format("{}={}, ", plan.sweep->key, row.value) : "",
        count_text(row.workers, "worker"), row.placement);
    do ++last;
    while (last < rows.size() && !begins_part(result, last));
    all.print(first, last);
    print_whole(result, rows, first, last);
    say("nodes\n");
    for (std::size_t i = first; i < last; ++i) print_nodes(result.rows[i].scheduler, rows[i], width);
    if (counters) print_attempts(result, rows, first, last, width);
    if (counters) print_greed(result, rows, first, last, width);
    const auto balances = [](const simulate_summary& each) { return each.sampled > 0; };
    if (std::none_of(rows.begin() + static_cast<std::ptrdiff_t>(first),
                     rows.begin() + static_cast<std::ptrdiff_t>(last), balances)) {
      continue;
    }
    say("balancing, in the whole run\n");
    for (std::size_t i = first; i < last; ++i) print_balancing(result.rows[i].scheduler, rows[i], width);
  }
  print_legend(plan, result);
  if (counters)
    say("attempts: steals, and false ones, which found nothing; local: at a worker of the thief's socket.\n"
        "Each count is a median by itself, so that sums may differ by the spread of the seeds.\n"
        "beside work: part of the workers' time in which they were idle although a task waited that could run, and "
        "the\n"
        "longest time without a break for which one was, in the whole run of any seed.\n");
  print_stored(stored, "simulation");
}

}  // namespace jackdaw::cli
