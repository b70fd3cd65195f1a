#include "cli/bench/bench_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/bench/bench_counters.hpp"
#include "cli/median.hpp"
#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

// What the table and the JSON say about one side.
struct summary {
  double median_s = 0, min_s = 0, max_s = 0;
  double ratio = 0;  // median over the first side's
  std::optional<double> steals_local, steals_remote;
};

std::vector<summary> summarise(const bench_result& result) {
  std::vector<summary> all;
  for (const side_result& side : result.sides) {
    std::vector<double> seconds, local, remote;
    for (const bench_sample& sample : side.samples) {
      seconds.push_back(sample.seconds);
      if (!sample.counters) continue;
      local.push_back(static_cast<double>(sample.counters->steals_local));
      remote.push_back(static_cast<double>(sample.counters->steals_remote));
    }
    summary s;
    s.median_s = median(seconds);
    std::tie(s.min_s, s.max_s) =
        std::pair(*std::min_element(seconds.begin(), seconds.end()), *std::max_element(seconds.begin(), seconds.end()));
    s.ratio = all.empty() ? 1 : s.median_s / all.front().median_s;
    if (!local.empty()) s.steals_local = median(local);
    if (!remote.empty()) s.steals_remote = median(remote);
    all.push_back(s);
  }
  return all;
}

// A unit in which all the times are easy to read.
struct time_unit {
  const char* name;
  double seconds;
};

time_unit unit_for(double largest) {
  if (largest >= 1) return {"s", 1};
  if (largest >= 1e-3) return {"ms", 1e-3};
  return {"us", 1e-6};
}

std::string rate_text(double per_second) {
  constexpr std::array prefixes = {"", " k", " M", " G", " T"};
  std::size_t i = 0;
  for (; per_second >= 1000 && i + 1 < prefixes.size(); ++i) per_second /= 1000;
  return fmt::format("{:.3g}{}", per_second, prefixes[i]);
}

std::string count_or_dash(const std::optional<double>& value) { return value ? fmt::format("{:.0f}", *value) : "-"; }

std::string what_ran(const bench_plan& plan) {
  std::string text = fmt::format("{}, size {}", plan.kernel->name, plan.request.size);
  if (!plan.request.shape.empty()) text += ", shape " + plan.request.shape;
  if (!plan.request.input.empty()) text += ", input " + plan.request.input.string();
  if (plan.request.iterations != 0) text += ", " + count_text(plan.request.iterations, "iteration");
  return text;
}

void print_data(const side_result& side) {
  const data_report& data = side.data;
  if (data.watched_by != hotness_source::none) {
    std::string looks;
    if (data.watched_by == hotness_source::accessed_bits) looks = ", " + count_text(data.sweeps, "sweep");
    if (data.watched_by == hotness_source::address_samples) {
      looks = fmt::format(", {}, {} lost", count_text(data.samples, "sample"), data.lost_samples);
    }
    say("{} watched {} of data by {}{}, in {:.1f} ms; moved {} in {:.1f} ms.\n", side.label(),
        count_text(data.areas, "area"), describe(data.watched_by), looks, data.watch_seconds * 1e3,
        bytes_text(data.moved), data.move_seconds * 1e3);
  }
  if (const std::string trouble = data.text(); !trouble.empty()) say("{}: {}.\n", side.label(), trouble);
}

/// Prints each counter's median over a side's runs, a column for each of jackdaw's sides.
void print_counters(const bench_result& result) {
  std::vector<const side_result*> sides;
  for (const side_result& each : result.sides) {
    if (!each.samples.empty() && each.samples.front().counters) sides.push_back(&each);
  }
  std::vector<table::column> columns(sides.size() + 1, {22, 1, false});
  columns.front() = {16, 0, true};
  table counts(columns);
  std::vector<std::string> heads{"counted a run"};
  for (const side_result* each : sides) heads.push_back(each->label());
  counts.add(std::move(heads));
  for (const bench_counter& counter : bench_counters) {
    std::vector<std::string> cells{fmt::format("  {}", counter.name)};
    for (const side_result* each : sides) {
      std::vector<double> values;
      for (const bench_sample& run : each->samples) {
        values.push_back(static_cast<double>((*run.counters).*counter.member));
      }
      cells.push_back(fmt::format("{:.0f}", median(std::move(values))));
    }
    counts.add(std::move(cells));
  }
  say("\n");
  counts.print();
}

nlohmann::json json_of(const data_report& data) {
  if (data.watched_by == hotness_source::none && data.text().empty()) return nullptr;
  return {{"watched_by", describe(data.watched_by)},
          {"areas", data.areas},
          {"sweeps", data.sweeps},
          {"samples", data.samples},
          {"lost_samples", data.lost_samples},
          {"watch_s", data.watch_seconds},
          {"sweep_s", data.sweep_seconds},
          {"moved_bytes", data.moved},
          {"failed_bytes", data.failed},
          {"move_s", data.move_seconds},
          {"trouble", data.text()}};
}

}  // namespace

void print_table(const bench_plan& plan, const bench_result& result, const stored_as& stored) {
  const std::vector<summary> rows = summarise(result);
  double largest = 0;
  for (const summary& row : rows) largest = std::max(largest, row.median_s);
  const time_unit unit = unit_for(largest);
  const std::string items = result.sides[0].unit.empty() ? "" : result.sides[0].unit + "/s";

  say("{}\n", what_ran(plan));
  say("on {} ({}), workers {} ({})\n\n", result.machine_name, result.machine_source,
      result.pinned ? "pinned" : "not pinned", name_of(plan.runtime_options.order.value_or(placement_order::scatter)));
  std::vector<table::column> columns{{4, 0, true}, {7}, {11}, {11}, {11}, {6}, {12}, {13}};
  std::vector<std::string> heads{"side",
                                 "workers",
                                 fmt::format("median {}", unit.name),
                                 fmt::format("min {}", unit.name),
                                 fmt::format("max {}", unit.name),
                                 "ratio",
                                 "steals local",
                                 "steals remote"};
  constexpr std::ptrdiff_t after_ratio = 6;
  if (!items.empty()) {
    columns.insert(columns.begin() + after_ratio, {12});
    heads.insert(heads.begin() + after_ratio, items);
  }
  table times(columns);
  times.add(std::move(heads));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const summary& row = rows[i];
    const side_result& side = result.sides[i];
    std::vector<std::string> cells{side.label(), fmt::format("{}", side.workers)};
    for (const double seconds : {row.median_s, row.min_s, row.max_s}) {
      cells.push_back(fmt::format("{:.3f}", seconds / unit.seconds));
    }
    cells.push_back(fmt::format("{:.2f}", row.ratio));
    if (!items.empty()) cells.push_back(rate_text(side.items / row.median_s));
    cells.push_back(count_or_dash(row.steals_local));
    cells.push_back(count_or_dash(row.steals_remote));
    times.add(std::move(cells));
  }
  times.print();
  say("\nmeasured wall time of {} a side in turn, after {}; every result checked.\n", count_text(plan.repeat, "run"),
      count_text(plan.warm_up, "warm-up"));
  say("ratio: median over the first row's; steals: median of a run, local within a package.\n");
  for (const side_result& side : result.sides) {
    if (side.profiled_by == profile_source::none) continue;
    say("{} profiled tasks by {}.\n", side.label(), describe(side.profiled_by));
  }
  for (const side_result& side : result.sides) print_data(side);
  if (plan.counters) print_counters(result);
  print_stored(stored, "bench");
}

void print_json(const bench_plan& plan, const bench_result& result, const stored_as& stored) {
  using nlohmann::json;
  const auto maybe = [](const std::optional<double>& value) { return value ? json(*value) : json(nullptr); };
  const std::vector<summary> rows = summarise(result);
  json sides = json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const side_result& side = result.sides[i];
    json runs = json::array();
    for (std::size_t round = 0; round < side.samples.size(); ++round) {
      const bench_sample& sample = side.samples[round];
      json run = {{"round", round + 1}, {"seconds", sample.seconds}};
      if (sample.counters) {
        for (const bench_counter& each : bench_counters) run[each.name] = (*sample.counters).*each.member;
      }
      runs.push_back(std::move(run));
    }
    sides.push_back(
        {{"side", side.side},
         {"scheduler", side.scheduler.empty() ? json(nullptr) : json(side.scheduler)},
         {"workers", side.workers},
         {"profiled_by", side.profiled_by == profile_source::none ? json(nullptr) : json(describe(side.profiled_by))},
         {"data", json_of(side.data)},
         {"median_s", rows[i].median_s},
         {"min_s", rows[i].min_s},
         {"max_s", rows[i].max_s},
         {"ratio", rows[i].ratio},
         {"items", side.items},
         {"items_unit", side.unit},
         {"steals_local", maybe(rows[i].steals_local)},
         {"steals_remote", maybe(rows[i].steals_remote)},
         {"runs", runs}});
  }
  json everything = {
      {"version", JACKDAW_VERSION},
      {"kind", "measured"},
      {"started", result.started},
      {"kernel", plan.kernel->name},
      {"size", plan.request.size},
      {"shape", plan.request.shape},
      {"input", plan.request.input.string()},
      {"iterations", plan.request.iterations},
      {"workers", plan.request.workers},
      {"order", name_of(plan.runtime_options.order.value_or(placement_order::scatter))},
      {"pinned", result.pinned},
      {"repeat", plan.repeat},
      {"warm_up", plan.warm_up},
      {"pause_ms", plan.pause_ms},
      {"machine", {{"name", result.machine_name}, {"source", result.machine_source}}},
      {"sides", sides},
  };
  if (!stored.file.empty()) {
    everything["database"] = {{"file", stored.file}, {"bench", stored.id ? json(*stored.id) : json(nullptr)}};
  }
  fmt::print("{}\n", everything.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace jackdaw::cli
