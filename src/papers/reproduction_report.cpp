#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/median.hpp"
#include "cli/text.hpp"
#include "papers/comparison_text.hpp"
#include "papers/contest_text.hpp"
#include "papers/reproduction.hpp"
#include "papers/seeds.hpp"

namespace jackdaw::cli {
namespace {

using results = reproduction::results;

std::string head(const reproduction& what, std::size_t seeds, bool swept) {
  // Without changes to a machine, which tables and rows name.
  std::string machines;
  std::vector<std::string> named;
  for (const std::string& each : what.machines()) {
    const std::string name = each.substr(0, each.find(' '));
    if (std::find(named.begin(), named.end(), name) != named.end()) continue;
    named.push_back(name);
    const machine_model machine = reproduction::load_machine(name);
    machines += fmt::format("{}a simulated {} ({})", machines.empty() ? "" : " and ", name, machine.description);
  }
  const std::string seeds_text = seeds == 1 ? "1 seed" : fmt::format("{} seeds (the least and the most)", seeds);
  if (!what.about.empty()) {
    return fmt::format("# {}\n\n{}\nAll figures are simulated, medians over {}. Made by `jackdaw reproduce {}`.\n\n",
                       what.title, what.about, seeds_text, what.name);
  }
  return fmt::format(
      "# {}\n\nThe paper's statements, and what the same schedulers do on {}.\n"
      "All figures are simulated, medians over {}. Ratios of times are of one iteration once\n"
      "the caches have settled, or of the whole run if a program does not iterate. The last two columns have the\n"
      "sockets' links at half and at twice their bandwidth: they show what a result depends on. A claim is reproduced\n"
      "if it is at every seed. Made by `jackdaw reproduce {}{}`.{}\n\n",
      what.title, machines, seeds_text, what.name, swept ? " --sweep" : "",
      swept ? " A further column names the\nends of assumed ranges in the machine file with which a claim turns." : "");
}

/// What a claim comes to with one factor of the links.
struct judgement {
  std::vector<double> figures;  ///< by seed, ascending
  std::size_t held = 0;         ///< seeds at which it holds

  bool always() const { return held == figures.size(); }
  std::string middle() const { return fmt::format("{:.2f}", median(figures)); }
};

judgement judge(const reproduction::claim& what, const results& found, std::size_t link) {
  judgement made;
  for (std::size_t seed = 0; seed < found.size(); ++seed) {
    const reproduction::outcomes of(found, seed, link);
    made.figures.push_back(what.of(of));
    made.held += what.holds(of) ? 1 : 0;
  }
  std::sort(made.figures.begin(), made.figures.end());
  return made;
}

std::string with_spread(const judgement& of) {
  if (of.figures.size() == 1) return of.middle();
  return fmt::format("{} ({:.2f} to {:.2f})", of.middle(), of.figures.front(), of.figures.back());
}

std::string with_other_links(const judgement& of) {
  if (of.always()) return of.middle();
  if (of.held == 0) return of.middle() + " (not)";
  return fmt::format("{} ({} of {})", of.middle(), of.held, of.figures.size());
}

std::string verdict(const judgement& of, bool whatever_the_links, bool whatever_is_assumed) {
  if (of.held == 0) return "**not reproduced**";
  if (!of.always()) return fmt::format("**at {} of {} seeds**", of.held, of.figures.size());
  if (!whatever_the_links) return "reproduced with these links";
  return whatever_is_assumed ? "reproduced" : "reproduced with what is assumed";
}

bool swept(const results& found) { return found.front().size() > reproduction::links.size(); }

/// Names the assumptions with which the claim's verdict is another one, and its figure then.
std::string turned_by(const reproduction::claim& what, const results& found, const judgement& as_is) {
  std::string text;
  for (std::size_t variant = reproduction::links.size(); variant < found.front().size(); ++variant) {
    const judgement then = judge(what, found, variant);
    if (then.always() == as_is.always()) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                        reproduction::assumptions[variant - reproduction::links.size()].name, then.middle());
  }
  return text;
}

std::string claims(const reproduction& what, const results& found) {
  std::string text = "| claim | paper | expected | simulated | verdict | links x0.5 | links x2 |";
  text += swept(found) ? " turns with |\n" : "\n";
  text += "|---|---|---|---:|---|---:|---:|";
  text += swept(found) ? "---|\n" : "\n";
  std::size_t held = 0, robust = 0, sometimes = 0, all = 0;
  std::string reasons;
  for (const reproduction::claim& each : what.claims) {
    if (!find_over_seeds(each.of, found)) continue;
    const judgement as_is = judge(each, found, 0), half = judge(each, found, 1), twice = judge(each, found, 2);
    const bool whatever_the_links = half.always() && twice.always();
    const std::string turned = turned_by(each, found, as_is);
    ++all;
    held += as_is.always() ? 1 : 0;
    robust += as_is.always() && whatever_the_links && turned.empty() ? 1 : 0;
    sometimes += !as_is.always() && as_is.held != 0 ? 1 : 0;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |", each.what, each.paper, each.expected,
                        with_spread(as_is), verdict(as_is, whatever_the_links, turned.empty()), with_other_links(half),
                        with_other_links(twice));
    text += swept(found) ? fmt::format(" {} |\n", turned.empty() ? "-" : turned) : "\n";
    // Claims of one kind share their reason.
    if (!as_is.always() && !each.otherwise.empty() && reasons.find(each.otherwise) == std::string::npos) {
      reasons += fmt::format("- {}: {}\n", each.what, each.otherwise);
    }
  }
  text += fmt::format("\n{} of {} claims reproduced, {} of them whatever the links{}.", held, all, robust,
                      swept(found) ? " and within all assumed ranges" : "");
  if (found.size() > 1) text += fmt::format(" {} more at some seeds only.", sometimes);
  text += " \"(not)\": not reproduced with these links";
  if (found.size() > 1) text += "; \"(1 of 3)\": at one of three seeds";
  text += ".\n\n";
  if (!reasons.empty()) text += "## Why not\n\n" + reasons + "\n";
  return text;
}

/// The simulation of median time among those of all seeds; of two, the faster one.
const reproduction::figures& median_of(const results& found, std::size_t link, const std::string& experiment) {
  std::vector<const reproduction::figures*> all;
  all.reserve(found.size());
  for (const auto& seed : found) all.push_back(&seed[link].at(experiment));
  const auto median = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::nth_element(all.begin(), median, all.end(), [](const auto* a, const auto* b) { return a->time < b->time; });
  return **median;
}

std::string simulated_times(const reproduction& what, const results& found) {
  std::string rows;
  for (const reproduction::experiment& each : what.experiments) {
    if (each.links_given) continue;
    rows += fmt::format("| {} |", each.name);
    for (std::size_t link = 0; link < reproduction::links.size(); ++link)
      rows += fmt::format(" {:.0f} |", median_of(found, link, each.name).time);
    rows += "\n";
  }
  if (rows.empty()) return rows;
  return "## Simulated times\n\nns per iteration.\n\n| experiment | links x1 | links x0.5 | links x2 |\n"
         "|---|---:|---:|---:|\n" +
         rows + "\n";
}

std::string other_figures(const reproduction& what, const results& found) {
  std::string text =
      "## Memory and waiting\n\nWith links x1, per iteration. Misses are lines of 64 bytes. Private misses were not "
      "in the core's own cache, shared\nmisses nowhere in its socket. Local is the part of the bytes from memory or "
      "from another socket that came from the own\nsocket's memory. The straggler is the socket with the fewest local "
      "bytes. Settled is the iteration in which the search\nfor a packing ended.\n\n"
      "| experiment | private misses | shared misses | local % | straggler, local KiB | idle % | first iteration, ns | "
      "all iterations, ns | settled |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const reproduction::experiment& each : what.experiments) {
    const reproduction::figures& of = median_of(found, 0, each.name);
    text += fmt::format("| {} | {:.0f} | {:.0f} | {:.1f} | {:.0f} | {:.1f} | {:.0f} | {:.0f} | {} |\n", each.name,
                        of.private_misses, of.shared_misses, 100 * of.local(), of.straggler_bytes / 1024, 100 * of.idle,
                        of.first, of.whole, of.settled == 0 ? "" : std::to_string(of.settled));
  }
  return text + "\n";
}

/// Returns, for machines with HBM, the bytes from and to either kind of memory, and the cost of balancing.
std::string kinds_of_memory(const reproduction& what, const results& found) {
  constexpr double kib = 1024, us = 1000;
  std::string rows;
  bool any = false;
  for (const reproduction::experiment& each : what.experiments) {
    const reproduction::figures& of = median_of(found, 0, each.name);
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
  if (of.recordings != 0) return "as recorded";
  std::string text = of.per_kib > 0 ? fmt::format("{:g} per KiB written", of.per_kib) : fmt::format("{}", of.leaf);
  for (const auto& [accesses, ns] : of.by_accesses) text += fmt::format("; {:g} with {} accesses", ns, accesses);
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

std::string report(const reproduction& what, const results& found, bool measured) {
  std::string text =
      head(what, found.size(), swept(found)) + comparisons_text(what, found) + contests_text(what, found);
  if (!what.claims.empty()) text += claims(what, found);
  text += tables_text(what, found) + simulated_times(what, found);
  if (what.memory) text += other_figures(what, found) + kinds_of_memory(what, found);
  text += leaf_times(what, measured) + "\n## Left out\n\n";
  for (const std::string& each : what.left_out) text += fmt::format("- {}\n", each);
  return text;
}

}  // namespace jackdaw::cli
