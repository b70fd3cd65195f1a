#include <fmt/format.h>
#include <jackdaw/error.hpp>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "cli/commands.hpp"
#include "cli/record_kernel.hpp"
#include "cli/reproduction.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"
#include "machine/machine_file.hpp"
#include "measure/even_out.hpp"
#include "sim/simulate.hpp"

namespace jackdaw::cli {
namespace {

struct arguments {
  std::string paper, markdown, seeds = "3", recordings = "5";
  bool measured = false, force = false;
};

/// The factors that the links' bandwidth is changed by, the real one first.
constexpr std::array links = {"x1", "x0.5", "x2"};

/// `recordings` 0: what the steps take is the reference core's times, not this computer's.
std::map<std::string, measure::task_tree> record(const reproduction& what, unsigned recordings) {
  std::map<std::string, measure::task_tree> trees;
  for (const reproduction::program& each : what.programs) {
    fmt::print(stderr, "recording {}\n", each.name);
    measure::task_tree& tree = trees[each.name] =
        record_fastest(*kernels::find(each.kernel), each.request, each.workers, std::max(1U, recordings));
    if (recordings == 0) {
      measure::set_times(tree, each.times.leaf, each.times.other);
    } else {
      measure::even_out(tree);  // the kernels here do the same work whatever the data
    }
  }
  return trees;
}

/// Every experiment with every factor of the links, side by side on this computer's workers; simulated times depend on
/// neither their number nor their order.
std::array<reproduction::times, links.size()> simulate_all(const reproduction& what,
                                                           const std::map<std::string, measure::task_tree>& trees,
                                                           unsigned seeds) {
  const std::size_t count = what.experiments.size();
  std::vector<machine_model> machines(links.size(), load_machine_model(what.machine));
  for (std::size_t link = 0; link < links.size(); ++link) set_figure(machines[link], "link.bandwidth", links[link]);
  std::map<std::string, sim::address_space> spaces;
  for (const auto& [name, tree] : trees) spaces.try_emplace(name, tree, machines.front());
  std::vector<double> found(count * links.size() * seeds);
  jackdaw::for_index(std::size_t{0}, found.size(), [&](std::size_t job) {
    const reproduction::experiment& each = what.experiments[job / seeds % count];
    found[job] = sim::simulate(trees.at(each.program), spaces.at(each.program), machines[job / seeds / count],
                               {.scheduler = each.scheduler,
                                .placement = each.placement,
                                .workers = each.workers,
                                .scatter = true,
                                .seed = 1 + job % seeds})
                     .per_iteration();
  });
  std::array<reproduction::times, links.size()> all;
  for (std::size_t link = 0; link < links.size(); ++link) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = found.begin() + static_cast<std::ptrdiff_t>((link * count + i) * seeds);
      std::nth_element(first, first + seeds / 2, first + seeds);
      all[link][what.experiments[i].name] = first[seeds / 2];
    }
  }
  return all;
}

/// The comparison as Markdown, which is readable as it stands.
std::string report(const reproduction& what, const std::array<reproduction::times, links.size()>& times, unsigned seeds,
                   bool measured) {
  const machine_model machine = load_machine_model(what.machine);
  std::string text = fmt::format(
      "# {}\n\nWhat the paper says and what the same schedulers do on a simulated {} ({}).\n"
      "All figures are simulated, medians over {}; a ratio of times, of one iteration once the caches have settled,\n"
      "or of the whole run where a program does not iterate. The last two columns are with the sockets' links at half\n"
      "and at twice their bandwidth: what a result hangs on. Made by `jackdaw reproduce {}`.\n\n",
      what.title, machine.name, machine.description, count_text(seeds, "seed"), what.name);
  text += "| claim | paper | expected | simulated | verdict | links x0.5 | links x2 |\n";
  text += "|---|---|---|---:|---|---:|---:|\n";
  std::size_t held = 0;
  for (const reproduction::claim& each : what.claims) {
    const bool holds = each.holds(times[0]);
    held += holds ? 1 : 0;
    text +=
        fmt::format("| {} | {} | {} | {:.2f} | {} | {:.2f}{} | {:.2f}{} |\n", each.what, each.paper, each.expected,
                    each.figure(times[0]), holds ? "reproduced" : "**not reproduced**", each.figure(times[1]),
                    each.holds(times[1]) ? "" : " (not)", each.figure(times[2]), each.holds(times[2]) ? "" : " (not)");
  }
  text += fmt::format("\n{} of {} claims reproduced. \"(not)\": it would not be with these links.\n\n", held,
                      what.claims.size());
  std::string reasons;
  for (const reproduction::claim& each : what.claims) {
    // Claims of one kind share their reason.
    if (!each.holds(times[0]) && !each.otherwise.empty() && reasons.find(each.otherwise) == std::string::npos) {
      reasons += fmt::format("- {}: {}\n", each.what, each.otherwise);
    }
  }
  if (!reasons.empty()) text += "## Why not\n\n" + reasons + "\n";
  text += "## Simulated times\n\nns per iteration.\n\n| experiment | links x1 | links x0.5 | links x2 |\n";
  text += "|---|---:|---:|---:|\n";
  for (const reproduction::experiment& each : what.experiments) {
    text += fmt::format("| {} | {:.0f} | {:.0f} | {:.0f} |\n", each.name, times[0].at(each.name),
                        times[1].at(each.name), times[2].at(each.name));
  }
  text += "\n## What the leaves take\n\n";
  if (measured) {
    text += "As recorded on this computer.\n";
  } else {
    text += "On the reference core, of which the machine's cores have the part that its compute_rate says.\n\n";
    text += "| program | leaf, ns | other step, ns | from |\n|---|---:|---:|---|\n";
    for (const reproduction::program& each : what.programs) {
      text += fmt::format("| {} | {} | {} | {} |\n", each.name, each.times.leaf, each.times.other, each.times.from);
    }
  }
  text += "\n## Left out\n\n";
  for (const std::string& each : what.left_out) text += fmt::format("- {}\n", each);
  return text;
}

void run(const arguments& given, int& result) {
  if (given.paper != "adws") {
    throw error(fmt::format("unknown paper '{}', expected one of adws", one_line(given.paper)));
  }
  const unsigned seeds = number_of(given.seeds, "--seeds", 1, 1000);
  const unsigned recordings = number_of(given.recordings, "--recordings", 1, 100);
  std::unique_ptr<whole_file> into;
  if (!given.markdown.empty()) into = std::make_unique<whole_file>(given.markdown, given.force, "--markdown");
  const reproduction what = reproduce_adws();
  const auto trees = record(what, given.measured ? recordings : 0);
  fmt::print(stderr, "simulating {} experiments\n", what.experiments.size() * links.size() * seeds);
  const std::string text = report(what, simulate_all(what, trees, seeds), seeds, given.measured);
  fmt::print("{}", text);
  if (into) into->write(text);
  result = good;
}

}  // namespace

void add_reproduce(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("reproduce", "Repeat a paper's experiments on its simulated machine");
  const auto given = std::make_shared<arguments>();
  command.add_option("PAPER", given->paper, "adws")->required();
  command.add_option("--seeds", given->seeds, "Simulations of each experiment; the median counts")
      ->capture_default_str();
  command
      .add_option("--recordings", given->recordings, "Recordings of each program; the fastest time of a step counts")
      ->capture_default_str();
  command.add_option("--markdown", given->markdown, "Also write the comparison to this file");
  command.add_flag("--force", given->force, "Replace that file when there is one");
  command.footer(
      "The programs are recorded here (about half a minute, 2 GiB of memory), then simulated with the sockets' links\n"
      "as they are, at half and at twice their bandwidth, on all of this computer's cores.\n"
      "Example:\n"
      "  jackdaw reproduce adws --seeds 1");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
