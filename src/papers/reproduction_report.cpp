#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "cli/text.hpp"
#include "papers/reproduction.hpp"

namespace jackdaw::cli {
namespace {

using found_figures = std::array<reproduction::by_name, reproduction::links.size()>;

std::string head(const reproduction& what, unsigned seeds) {
  std::string machines;
  for (const std::string& each : what.machines()) {
    const machine_model machine = reproduction::load_machine(each);
    machines += fmt::format("{}a simulated {} ({})", machines.empty() ? "" : " and ", each, machine.description);
  }
  return fmt::format(
      "# {}\n\nThe paper's statements, and what the same schedulers do on {}.\n"
      "All figures are simulated, medians over {}. Ratios of times are of one iteration once the caches have settled,\n"
      "or of the whole run if a program does not iterate. The last two columns have the sockets' links at half and at\n"
      "twice their bandwidth: they show what a result depends on. Made by `jackdaw reproduce {}`.\n\n",
      what.title, machines, count_text(seeds, "seed"), what.name);
}

/// False for a claim on a program that was left out.
bool was_simulated(const reproduction::claim& what, const reproduction::outcomes& found) {
  try {
    what.figure(found);
  } catch (const std::out_of_range&) {
    return false;
  }
  return true;
}

std::string claims(const reproduction& what, const found_figures& found) {
  const auto seen = [&](std::size_t link) { return reproduction::outcomes(found, link); };
  std::string text = "| claim | paper | expected | simulated | verdict | links x0.5 | links x2 |\n";
  text += "|---|---|---|---:|---|---:|---:|\n";
  std::size_t held = 0, all = 0;
  std::string reasons;
  for (const reproduction::claim& each : what.claims) {
    if (!was_simulated(each, seen(0))) continue;
    ++all;
    const bool holds = each.holds(seen(0));
    held += holds ? 1 : 0;
    text += fmt::format("| {} | {} | {} | {:.2f} | {} |", each.what, each.paper, each.expected, each.figure(seen(0)),
                        holds ? "reproduced" : "**not reproduced**");
    for (const std::size_t link : {1, 2}) {
      text += fmt::format(" {:.2f}{} |", each.figure(seen(link)), each.holds(seen(link)) ? "" : " (not)");
    }
    text += "\n";
    // Claims of one kind share their reason.
    if (!holds && !each.otherwise.empty() && reasons.find(each.otherwise) == std::string::npos) {
      reasons += fmt::format("- {}: {}\n", each.what, each.otherwise);
    }
  }
  text += fmt::format("\n{} of {} claims reproduced. \"(not)\": not reproduced with these links.\n\n", held, all);
  if (!reasons.empty()) text += "## Why not\n\n" + reasons + "\n";
  return text;
}

std::string simulated_times(const reproduction& what, const found_figures& found) {
  std::string text = "## Simulated times\n\nns per iteration.\n\n| experiment | links x1 | links x0.5 | links x2 |\n";
  text += "|---|---:|---:|---:|\n";
  for (const reproduction::experiment& each : what.experiments) {
    text += fmt::format("| {} | {:.0f} | {:.0f} | {:.0f} |\n", each.name, found[0].at(each.name).time,
                        found[1].at(each.name).time, found[2].at(each.name).time);
  }
  return text + "\n";
}

std::string other_figures(const reproduction& what, const reproduction::by_name& found) {
  std::string text =
      "## Memory and waiting\n\nWith links x1, per iteration. Misses are lines of 64 bytes. Private misses were not "
      "in the core's own cache, shared\nmisses nowhere in its socket. Local is the part of the bytes from memory or "
      "from another socket that came from the own\nsocket's memory. The straggler is the socket with the fewest local "
      "bytes. Settled is the iteration in which the search\nfor a packing ended.\n\n"
      "| experiment | private misses | shared misses | local % | straggler, local KiB | idle % | first iteration, ns | "
      "all iterations, ns | settled |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const reproduction::experiment& each : what.experiments) {
    const reproduction::figures& of = found.at(each.name);
    text += fmt::format("| {} | {:.0f} | {:.0f} | {:.1f} | {:.0f} | {:.1f} | {:.0f} | {:.0f} | {} |\n", each.name,
                        of.private_misses, of.shared_misses, 100 * of.local(), of.straggler_bytes / 1024, 100 * of.idle,
                        of.first, of.whole, of.settled == 0 ? "" : std::to_string(of.settled));
  }
  return text + "\n";
}

/// Returns, for machines with HBM, the bytes from and to either kind of memory, and the cost of balancing.
std::string kinds_of_memory(const reproduction& what, const reproduction::by_name& found) {
  constexpr double kib = 1024, us = 1000;
  std::string rows;
  bool any = false;
  for (const reproduction::experiment& each : what.experiments) {
    const reproduction::figures& of = found.at(each.name);
    any = any || of.hbm_bytes > 0;
    rows += fmt::format("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", each.name, of.dram_bytes / kib,
                        of.hbm_bytes / kib, of.watching / us, of.moved_bytes / kib, of.moving / us);
  }
  if (!any) return "";
  return "## Kinds of memory\n\nWith links x1. Per iteration: bytes from and to nodes of each kind. In the whole run: "
         "the time in which data were\nwatched, the bytes that were then moved, and the time that this took.\n\n"
         "| experiment | DRAM, KiB | HBM, KiB | watching, us | moved, KiB | moving, us |\n"
         "|---|---:|---:|---:|---:|---:|\n" +
         rows + "\n";
}

std::string step_text(const reproduction::reference_times& of) {
  std::string text = of.per_kib > 0 ? fmt::format("{} per KiB written", of.per_kib) : fmt::format("{}", of.leaf);
  for (const auto& [accesses, ns] : of.by_accesses) text += fmt::format("; {} with {} accesses", ns, accesses);
  if (of.preparing > 0) text += fmt::format("; {} per KiB written before the run", of.preparing);
  for (const auto& [accesses, ns] : of.touching)
    text += fmt::format("; {} per KiB touched with {} accesses", ns, accesses);
  return text;
}

std::string leaf_times(const reproduction& what, bool measured) {
  std::string text = "## Times of the leaves\n\n";
  if (measured) return text + "As recorded on this computer.\n";
  text += "On the reference core. The machine's cores have the fraction of its speed that compute_rate says.\n\n";
  text += "| program | leaf, ns | other step, ns | from |\n|---|---:|---:|---|\n";
  for (const reproduction::program& each : what.programs) {
    text += fmt::format("| {} | {} | {} | {} |\n", each.name, step_text(each.times), each.times.other, each.times.from);
  }
  return text;
}

}  // namespace

std::string report(const reproduction& what, const found_figures& found, unsigned seeds, bool measured) {
  std::string text = head(what, seeds) + claims(what, found) + simulated_times(what, found);
  if (what.memory) text += other_figures(what, found[0]) + kinds_of_memory(what, found[0]);
  text += leaf_times(what, measured) + "\n## Left out\n\n";
  for (const std::string& each : what.left_out) text += fmt::format("- {}\n", each);
  return text;
}

}  // namespace jackdaw::cli
