#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include <jackdaw/machine.hpp>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help/completion.hpp"
#include "cli/machine_json.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/say.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"
#include "machine/machine_file.hpp"
#include "machine/measured_bandwidths.hpp"
#include "machine/probe/machine_probe.hpp"
#include "machine/probe/probe_bandwidths.hpp"

namespace jackdaw::cli {
namespace {

void print_line(std::string_view label, const std::string& text) { say("{:<13} {}\n", label, text); }

std::string cache_text(const machine_model::cache& cache) {
  if (cache.size == 0) return "none";
  return fmt::format("{}, {:g} GB/s to a core, {:g} ns", bytes_text(cache.size), cache.rate, cache.latency);
}

std::string shared_cache_text(const machine_model& model) {
  std::string text = cache_text(model.shared_cache);
  if (model.shared_cache.size == 0) return text;
  text += fmt::format("; {:g} GB/s in all; {}", model.shared_cache_total, name_of(model.fill));
  if (model.drops == machine_model::replacement::any) text += "; any block leaves it";
  if (model.group_size() != model.cores_per_socket)
    text += fmt::format("; one for {}", count_text(model.group_size(), "core"));
  return text;
}

/// Where lines come from that only other cores' private caches have.
std::string clean_lines_text(const machine_model& model) {
  const bool both = model.private_cache.size != 0 && model.shared_cache.size != 0;
  const bool far = model.clean_lines == machine_model::clean_source::sockets;
  const std::string more = far ? ", or from other sockets" : "";
  if (both && model.fill == machine_model::fill_policy::inclusive)
    return "from the shared cache, which has them too" + more;
  const bool forwarded = far || (both && model.fill == machine_model::fill_policy::exclusive);
  return fmt::format("from {}", name_of(forwarded ? machine_model::clean_source::neighbours : model.clean_lines)) +
         more;
}

// "0-3": nodes or links with the same figures share a line.
struct alike {
  std::vector<unsigned> numbers;
  std::string text;
};

void add(std::vector<alike>& lines, unsigned number, const std::string& text) {
  const auto same = std::find_if(lines.begin(), lines.end(), [&](const alike& line) { return line.text == text; });
  if (same != lines.end()) {
    same->numbers.push_back(number);
  } else {
    lines.push_back({{number}, text});
  }
}

std::string line_text(const machine_model::ramp& of) {
  return of.line_rate > 0 ? fmt::format(", {:g} for the first line", of.line_rate) : "";
}

void print_nodes(const machine_model& model) {
  std::vector<alike> lines;
  double bandwidth = 0;
  std::uint64_t capacity = 0;
  for (unsigned i = 0; i < model.nodes.size(); ++i) {
    const machine_model::memory_node& node = model.nodes[i];
    bandwidth += node.bandwidth;
    capacity += node.capacity;
    std::string text = fmt::format("{} {}, {:g} GB/s, {:g} ns", bytes_text(node.capacity), name_of(node.kind),
                                   node.bandwidth, node.latency);
    if (node.rate > 0) text += fmt::format(", {:g} GB/s to a core", node.rate);
    if (node.cached.size != 0)
      text += fmt::format(", cached by {}, {:g} GB/s", bytes_text(node.cached.size), node.cached.bandwidth);
    add(lines, i, text);
  }
  const char* label = "nodes";
  for (const alike& line : lines) {
    std::vector<unsigned> sockets;
    sockets.reserve(line.numbers.size());
    for (const unsigned i : line.numbers) sockets.push_back(model.nodes[i].socket);
    std::sort(sockets.begin(), sockets.end());
    sockets.erase(std::unique(sockets.begin(), sockets.end()), sockets.end());
    print_line(label, fmt::format("{} on socket {}: {}{}", ranges_text(line.numbers), ranges_text(sockets), line.text,
                                  line.numbers.size() > 1 ? " each" : ""));
    label = "";
  }
  print_line("", fmt::format("in all {}, {:g} GB/s", bytes_text(capacity), bandwidth));
}

void print_links(const machine_model& model) {
  if (model.links.empty()) return print_line("links", "none");
  std::map<std::string, std::vector<std::string>> lines;
  for (const machine_model::link& link : model.links) {
    const auto same_back = [&](const machine_model::link& back) {
      return back.from == link.to && back.to == link.from && back.bandwidth == link.bandwidth &&
             back.latency == link.latency;
    };
    const bool both = std::any_of(model.links.begin(), model.links.end(), same_back);
    if (both && link.from > link.to) continue;
    lines[fmt::format("{:g} GB/s {}, {:g} ns more", link.bandwidth, both ? "each way" : "one way", link.latency)]
        .push_back(fmt::format("{}-{}", link.from, link.to));
  }
  const char* label = "links";
  for (const auto& [text, pairs] : lines) {
    print_line(label, fmt::format("{}: {}", joined(pairs), text));
    label = "";
  }
}

void print_origins(const machine_model& model) {
  // A line of the file that describes several nodes or links counts once.
  std::set<std::tuple<machine_model::origin, std::string, int>> figures;
  for (const auto& origin : model.origins) figures.insert({origin.from, origin.file, origin.line});
  std::string text;
  for (const auto kind : {machine_model::origin::paper, machine_model::origin::datasheet,
                          machine_model::origin::measured, machine_model::origin::assumed}) {
    const auto count =
        std::count_if(figures.begin(), figures.end(), [&](const auto& figure) { return std::get<0>(figure) == kind; });
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(kind));
  }
  print_line("figures", text);
}

void print_summary(const machine_model& model) {
  print_line(model.name, model.description);
  print_line("file", model.file);
  print_line("cores", fmt::format("{} x {}, {:g} of the reference core, {:g} in vectors, {:g} of memory time hidden",
                                  count_text(model.sockets, "socket"), count_text(model.cores_per_socket, "core"),
                                  model.rate_of(false), model.rate_of(true), model.overlap));
  if (model.threads_per_core > 1) {
    print_line("threads", fmt::format("{} a core, which together compute {:g} times as much as one",
                                      model.threads_per_core, model.smt_rate));
  }
  print_line("private cache", cache_text(model.private_cache));
  print_line("shared cache", shared_cache_text(model));
  print_line("clean lines", clean_lines_text(model));
  print_line("one core", fmt::format("{:g} GB/s from its own socket's memory, {:g} from another's", model.local_rate,
                                     model.remote_rate));
  if (model.slow_start.length != 0)
    print_line("", fmt::format("{:g} GB/s for the first {} of each run of bytes{}", model.slow_start.rate,
                               bytes_text(model.slow_start.length), line_text(model.slow_start)));
  print_nodes(model);
  print_links(model);
  const machine_model::costs& cost = model.cost;
  print_line("costs", fmt::format("spawn {:g}, join {:g}, place {:g}, suspend {:g}, wake {:g} ({:g} of the waker) ns",
                                  cost.spawn, cost.join, cost.place, cost.suspend, cost.wake, cost.of_waker()));
  print_line("", fmt::format("steal {:g} local, {:g} remote; look {:g} local, {:g} remote ns", cost.steal_local,
                             cost.steal_remote, cost.look_local, cost.look_remote));
  print_line("grain", fmt::format("blocks of {}, pages of {}", bytes_text(model.block), bytes_text(model.page)));
  print_origins(model);
}

void check(const std::vector<std::string>& names) {
  // Reads all files first, so that a mistake in one of them prints nothing.
  std::vector<machine_model> models;
  models.reserve(names.size());
  for (const std::string& name : names) models.push_back(load_machine_model(name));
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (i != 0) say("\n");
    print_summary(models[i]);
  }
}

void list() {
  for (const std::string& name : shipped_machine_models()) {
    say("{:<15} {}\n", name, load_machine_model(name).description);
  }
}

struct here_arguments {
  std::string output;
  bool force = false;
};

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

void write_here(const here_arguments& given) {
  std::optional<whole_file> file;
  if (!given.output.empty()) file.emplace(given.output, given.force, "--output");
  progress shown;
  shown.say("measuring this computer");
  machine_model model = probe::measure_machine(machine::detect(), today());
  shown.clear();
  if (file) model.name = std::filesystem::path(given.output).stem().string();
  const std::string text = to_toml(model);
  parse_machine_model(text, given.output.empty() ? "here" : given.output);
  if (!file) {
    fmt::print("{}", text);
    return;
  }
  file->write(text);
  const std::string path = one_line(given.output);
  say("{}: machine {}, measured; `jackdaw machine check {}` shows it\n", path, model.name, path);
}

/// Measures, prints and stores the bandwidths.
void measure_bandwidths() {
  const machine found = machine::detect();
  const std::string path = bandwidth_file(found);
  if (path.empty())
    throw error(
        "bandwidths: neither XDG_CACHE_HOME nor HOME is set, expected one of them to name a folder for the results");
  progress shown;
  shown.say("measuring the bandwidths of memory nodes");
  const std::vector<measured_bandwidth> nodes = probe::probe_bandwidths(found);
  shown.clear();
  std::error_code failed;  // ignored: whole_file reports it
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  whole_file file(path, true, "bandwidths");
  for (const measured_bandwidth& each : nodes) {
    print_line(fmt::format("node {}", each.os_node), fmt::format("{:.0f} MiB/s, measured", each.mib_per_s));
  }
  file.write(bandwidth_text(nodes, today()));
  say("kept in {}, used where the firmware declares no bandwidths\n", path);
}

}  // namespace

void add_machine(CLI::App& program, int& result) {
  CLI::App& command =
      *program.add_subcommand("machine", "List, check and write machine files, which describe computers to simulate");
  command.require_subcommand(0, 1);
  command.callback([&command] {
    if (command.get_subcommands().empty())
      throw error("machine: no subcommand, expected one of check list here bandwidths");
  });
  command.footer(
      "Examples:\n"
      "  jackdaw machine list\n"
      "  jackdaw machine check xeon-gold-6130 mine.toml\n"
      "  jackdaw machine here -o mine.toml\n"
      "  jackdaw machine bandwidths");

  CLI::App& check_command = *command.add_subcommand("check", "Read machine files and print what they say");
  const auto names = std::make_shared<std::vector<std::string>>();
  offer(*check_command.add_option("FILE", *names, "Machine files, or names from `jackdaw machine list`")->required(),
        [](const std::vector<std::string>&) { return shipped_machine_models(); });
  const auto json = std::make_shared<bool>(false);
  check_command.add_flag("--json", *json, "Print what programs need to know of one machine as JSON");
  check_command.callback([names, json, &result] {
    if (*json && names->size() != 1) throw error("--json: several machines, expected one");
    *json ? print_machine_json(load_machine_model(names->front())) : check(*names);
    result = good;
  });

  CLI::App& list_command =
      *command.add_subcommand("list", "List the machines that jackdaw ships and those in the folder $JACKDAW_MACHINES");
  list_command.callback([&result] {
    list();
    result = good;
  });

  CLI::App& here_command =
      *command.add_subcommand("here", "Measure this computer for a few seconds and write its machine file");
  const auto given = std::make_shared<here_arguments>();
  here_command.add_option("-o,--output", given->output, "The file to write; default: standard output");
  here_command.add_flag("--force", given->force, "Replace an existing file");
  here_command.callback([given, &result] {
    write_here(*given);
    result = good;
  });

  command
      .add_subcommand(
          "bandwidths",
          "Measure each memory node's bandwidth from its nearest CPUs and keep it for placement by bandwidth")
      ->callback([&result] {
        measure_bandwidths();
        result = good;
      });
}

}  // namespace jackdaw::cli
