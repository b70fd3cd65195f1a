#include "cli/numa_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "sim/memory/routes.hpp"

namespace jackdaw::cli {
namespace {

using probe::numa_figures;

/// The nearest memory of a socket that programs use unless they ask for another: DRAM, else the first one.
std::optional<std::size_t> home_of(const machine_model& model, unsigned socket) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (model.nodes[i].socket != socket) continue;
    if (model.nodes[i].kind == machine_model::memory_kind::dram) return i;
    if (!found) found = i;
  }
  return found;
}

void print_matrix(const std::string& title, const numa_source& of, const numa_figures& figures,
                  std::vector<double> numa_figures::reader::* what) {
  say("{}\n", title);
  std::vector<table::column> columns(figures.nodes.size() + 1, {10, 0, false});
  columns.front() = {12, 0, true};
  table matrix(columns);
  std::vector<std::string> heads{""};
  for (const unsigned node : figures.nodes) heads.push_back(fmt::format("node {}", node));
  matrix.add(std::move(heads));
  for (const numa_figures::reader& each : figures.readers) {
    std::vector<std::string> cells{fmt::format("{} {}", of.row, each.number)};
    for (const double value : each.*what) cells.push_back(value > 0 ? fmt::format("{:.1f}", value) : "-");
    matrix.add(std::move(cells));
  }
  matrix.print();
}

nlohmann::json json_of(const numa_source& of, const numa_figures& figures) {
  nlohmann::json rows = nlohmann::json::array();
  const auto known = [](double value) { return value > 0 ? nlohmann::json(value) : nlohmann::json(nullptr); };
  for (const numa_figures::reader& each : figures.readers) {
    nlohmann::json latency = nlohmann::json::array(), bandwidth = nlohmann::json::array();
    for (const double value : each.latency) latency.push_back(known(value));
    for (const double value : each.bandwidth) bandwidth.push_back(known(value));
    const std::optional<double> ratio = each.ratio();
    rows.push_back({{of.row, each.number},
                    {"local_node", each.home ? nlohmann::json(figures.nodes[*each.home]) : nlohmann::json(nullptr)},
                    {"latency_ns", latency},
                    {"gb_per_s", bandwidth},
                    {"remote_over_local", ratio ? nlohmann::json(*ratio) : nlohmann::json(nullptr)}});
  }
  const std::string reason = figures.no_ratio();
  return {
      {"machine", of.machine},     {"source", of.how},
      {"nodes", figures.nodes},    {of.row + "s", rows},
      {"r_numa", figures.ratio()}, {"r_numa_reason", reason.empty() ? nlohmann::json(nullptr) : nlohmann::json(reason)},
      {"notes", figures.notes}};
}

}  // namespace

numa_figures numa_figures_of(const machine_model& model) {
  const sim::routes ways(model);
  numa_figures made;
  for (unsigned node = 0; node < model.nodes.size(); ++node) made.nodes.push_back(node);
  for (unsigned socket = 0; socket < model.sockets; ++socket) {
    numa_figures::reader& each = made.readers.emplace_back();
    each.number = socket;
    each.home = home_of(model, socket);
    for (unsigned node = 0; node < model.nodes.size(); ++node) {
      const std::uint16_t id = ways.memory(node, socket);
      const sim::route& way = ways[id];
      double bandwidth = way.rate * model.cores_per_socket;
      for (const std::uint16_t step : ways.steps(id)) bandwidth = std::min(bandwidth, ways.resources()[step].capacity);
      each.latency.push_back(way.latency);
      each.bandwidth.push_back(bandwidth);
    }
    for (unsigned other = 0; other < model.sockets; ++other) {
      const std::optional<std::size_t> home = home_of(model, other);
      if (other != socket && home) each.remote.push_back(*home);
    }
  }
  return made;
}

void print_numa(const numa_source& of, const numa_figures& figures, bool json) {
  if (json) {
    fmt::print("{}\n", json_of(of, figures).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  say("{}, {}\n", of.machine, of.how);
  print_matrix("latency, ns", of, figures, &numa_figures::reader::latency);
  print_matrix("bandwidth, GB/s", of, figures, &numa_figures::reader::bandwidth);
  const std::string reason = figures.no_ratio();
  say("R_NUMA {:.3f}: {}\n", figures.ratio(),
      reason.empty() ? fmt::format("remote over local latency, the mean of the {}s", of.row) : reason);
  for (const std::string& note : figures.notes) say("{}\n", note);
}

}  // namespace jackdaw::cli
