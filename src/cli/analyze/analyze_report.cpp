#include "cli/analyze/analyze_report.hpp"

#include <fmt/format.h>
#include <jackdaw/jackdaw.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

using nlohmann::json;

std::string us(double ns) { return fmt::format("{:.1f}", ns * 1e-3); }
std::string ratio(double of, double to) { return to > 0 ? fmt::format("{:.2f}", of / to) : "-"; }

/// Figures of an iteration and of the whole run under a title.
class figures {
 public:
  figures(std::string title, const std::string& iteration) : title_(std::move(title)) {
    rows_.push_back({"", "", iteration, "whole"});
  }

  void line(std::string_view label, std::string_view unit, const std::string& iteration, const std::string& whole) {
    rows_.push_back({fmt::format("  {}", label), std::string(unit), iteration, whole});
  }

  void print() const {
    constexpr std::size_t label_width = 68, unit_width = 7, number_width = 14;
    constexpr std::size_t in_all = label_width + unit_width + 2 * number_width;
    const bool wide = terminal_columns(stdout).value_or(in_all) >= in_all;
    table all({{wide ? label_width + unit_width : 0, 0, true}, {number_width, 0}, {number_width, 0}});
    if (!wide) say_text("\n" + title_ + "\n", title_);
    if (wide) say("\n");
    std::size_t longest = 0;
    for (const auto& row : rows_) longest = std::max(longest, row[0].size());
    for (const auto& row : rows_) {
      const std::string label = fmt::format("{:<{}}{}", row[0], wide ? label_width : longest + 1, row[1]);
      all.add({wide && &row == &rows_.front() ? title_ : label, row[2], row[3]});
    }
    all.print();
  }

 private:
  std::string title_;
  std::vector<std::array<std::string, 4>> rows_;
};

void print_program(const analyzed& what) {
  const analysis::tiers &one = what.found.iteration, &all = what.found.whole;
  figures shown("computed from recorded times at this machine's speed; no data moved",
                what.found.iterations > 1 ? "last iteration" : "what it forks");
  shown.line("work T1", "us", us(one.work), us(all.work));
  shown.line("critical path T-infinity", "us", us(one.critical_path), us(all.critical_path));
  shown.line("parallelism T1 / T-infinity", "", ratio(one.work, one.critical_path), ratio(all.work, all.critical_path));
  shown.line("tasks", "", fmt::format("{}", one.tasks), fmt::format("{}", all.tasks));
  shown.line("leaves", "", fmt::format("{}", one.leaves), fmt::format("{}", all.leaves));
  shown.line("depth: frames of a serial run, S1", "frames", fmt::format("{}", one.frames),
             fmt::format("{}", all.frames));
  shown.print();
}

std::string phases_text(const scheduler_analysis& of) {
  std::string text;
  for (std::size_t i = 1; i < of.phases.size(); ++i) {
    if (of.phases[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", of.phases[i], name_of(static_cast<phase_rule>(i)));
  }
  return text;
}

std::string_view formula(phase_rule rule) {
  switch (rule) {
    case phase_rule::squads:
      return "bound as printed (LAWS Eq. 13, CAB Eq. 12)";
    case phase_rule::closed:
      return "bound T1/n + T-infinity (squads apart)";
    case phase_rule::marked:
      return "bound T1 + T-infinity (tasks marked by the program)";
    default:
      return "bound T1/P + T-infinity (plain stealing)";
  }
}

void print_scheduler(const scheduler_analysis& of, bool iterates) {
  const part_analysis &one = of.iteration, &all = of.whole;
  const bool packed = of.rule == phase_rule::squads;
  const std::string decided =
      packed ? fmt::format(" ({} {})", of.scheduler.starts_with("cab") ? "level" : "step", of.decided) : "";
  figures shown(fmt::format("{}: {}{}; m = {} of n = {}; phases: {}", of.scheduler, name_of(of.rule), decided,
                            count_text(of.crew.squads, "squad"), of.crew.workers, phases_text(of)),
                iterates ? "last iteration" : "what it forks");
  const auto both = [&](std::string_view label, std::string_view unit, auto text) {
    shown.line(label, unit, text(one), text(all));
  };
  both("computed from the times that steps took: T1", "us", [](const auto& p) { return us(p.of.work); });
  both("  T-infinity", "us", [](const auto& p) { return us(p.of.critical_path); });
  if (all.of.tops != 0) {
    both("  T1 of the free (inter-socket) tier", "us", [](const auto& p) { return us(p.of.free_work); });
    both("  T1 of the socket-local (intra-socket) tier", "us", [](const auto& p) { return us(p.of.local_work); });
    both("  subtrees, k", "", [](const auto& p) { return fmt::format("{}", p.of.tops); });
    both("  T-infinity of the subtrees, summed", "us", [](const auto& p) { return us(p.of.subtree_critical_paths); });
  }
  both(fmt::format("  {}", formula(of.rule)), "us", [](const auto& p) { return us(p.printed); });
  if (all.of.tops != 0) {
    both("  the same, a subtree as long as its squad takes for it", "us", [](const auto& p) { return us(p.bound); });
  }
  both("  and with what forks, steals and looks cost", "us", [](const auto& p) { return us(p.charged); });
  both("simulated: time", "us", [](const auto& p) { return us(p.time); });
  both("  part of the bound as printed", "", [](const auto& p) { return ratio(p.time, p.printed); });
  both("  part of the bound with costs", "", [](const auto& p) { return ratio(p.time, p.charged); });
  both("computed: space (Eq. 15)", "frames", [](const auto& p) { return fmt::format("{}", p.space); });
  both("simulated: frames in use at once", "frames", [](const auto& p) { return fmt::format("{}", p.frames); });
  shown.print();
}

json tiers_json(const analysis::tiers& of) {
  return {{"work_ns", of.work}, {"span_ns", of.critical_path}, {"parallelism", of.parallelism()}};
}

json program_json(const analysis::tiers& of) {
  json told = tiers_json(of);
  told["tasks"] = of.tasks;
  told["leaves"] = of.leaves;
  told["serial_frames"] = of.frames;
  return told;
}

json part_json(const part_analysis& of) {
  json computed = tiers_json(of.of);
  computed["free_work_ns"] = of.of.free_work;
  computed["local_work_ns"] = of.of.local_work;
  computed["subtrees"] = of.of.tops;
  computed["subtree_spans_ns"] = of.of.subtree_critical_paths;
  computed["printed_bound_ns"] = of.printed;
  computed["bound_ns"] = of.bound;
  computed["bound_with_costs_ns"] = of.charged;
  computed["space_bound_frames"] = of.space;
  return {{"computed", computed}, {"simulated", {{"time_ns", of.time}, {"frames", of.frames}}}};
}

json scheduler_json(const scheduler_analysis& of) {
  json phases = json::object();
  for (std::size_t i = 0; i < of.phases.size(); ++i) phases[name_of(static_cast<phase_rule>(i))] = of.phases[i];
  return {{"scheduler", of.scheduler},
          {"squads", of.crew.squads},
          {"workers_per_squad", of.crew.workers},
          {"rule", name_of(of.rule)},
          {"decided", of.rule == phase_rule::squads ? json(of.decided) : json(nullptr)},
          {"phases", phases},
          {"last_iteration", part_json(of.iteration)},
          {"whole", part_json(of.whole)}};
}

}  // namespace

void print_text(const analyzed& what) {
  const program_analysis& found = what.found;
  say("{}\n", what.program);
  say("on {}: {}\n", what.plan.machine.name, what.plan.machine.description);
  say("{}; {}, seed {}{}{}\n", count_text(found.workers, "worker"), what.plan.placements.front(), what.plan.seed,
      what.told.data != 0 ? fmt::format(", told: {} of data", bytes_text(what.told.data)) : "",
      what.told.branching != 0 ? fmt::format(", told: branching {}", what.told.branching) : "");
  print_program(what);
  for (const scheduler_analysis& each : found.under) print_scheduler(each, found.iterations > 1);
  say("\ndocs/analysis.md says what the bounds are, and when the printed one does not hold.\n");
}

void print_json(const analyzed& what) {
  const program_analysis& found = what.found;
  json under = json::array();
  for (const scheduler_analysis& each : found.under) under.push_back(scheduler_json(each));
  const machine_model& machine = what.plan.machine;
  const json everything = {
      {"version", JACKDAW_VERSION},
      {"kind", "computed and simulated"},
      {"program", what.program},
      {"trace", what.plan.kernel ? json(nullptr) : json(what.plan.trace)},
      {"machine", {{"name", machine.name}, {"file", machine.file}}},
      {"placement", what.plan.placements.front()},
      {"seed", what.plan.seed},
      {"workers", found.workers},
      {"told", {{"data_bytes", what.told.data}, {"branching", what.told.branching}}},
      {"iterations", found.iterations},
      {"recorded", {{"last_iteration", program_json(found.iteration)}, {"whole", program_json(found.whole)}}},
      {"schedulers", under},
  };
  fmt::print("{}\n", everything.dump(2, ' ', false, json::error_handler_t::replace));
}

}  // namespace jackdaw::cli
