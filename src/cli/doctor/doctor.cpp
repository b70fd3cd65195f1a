#include "cli/doctor/doctor.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/jackdaw.hpp>

#include <memory>

#include "cli/commands.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::string why_so_many(const machine& found, std::size_t workers) {
  if (const auto asked = environment("JACKDAW_WORKERS")) return "JACKDAW_WORKERS=" + *asked;
  if (workers < found.usable_cores()) return "as many as the CPU quota allows";
  return "one for each usable physical core";
}

std::string why_not_pinned(const machine& found, std::size_t workers) {
  if (!found.bindable()) return "the machine is described by " + found.source;
  if (workers > found.usable_cpus()) return "more workers than usable CPUs";
  if (const auto asked = environment("JACKDAW_PIN")) return "JACKDAW_PIN=" + *asked;
  return "all cores are of one type and have the same L3 cache and memory";
}

// Starts a runtime exactly as a program would, so that the report shows what really happens.
diagnosis diagnose() {
  const runtime started;
  diagnosis all;
  all.found = started.where();
  all.counters = profile::survey_counters();
  all.checks = check_system(all.found, all.counters);
  all.scheduler = started.scheduler();
  for (unsigned i = 0; i < started.workers(); ++i) all.places.push_back(started.place(i));
  all.workers_from = why_so_many(all.found, all.places.size());
  all.pinned = all.places[0].os_cpu.has_value();
  all.stay_in_l3 = all.places[0].stays_in_l3;
  if (!all.pinned && !all.stay_in_l3) all.not_pinned_because = why_not_pinned(all.found, all.places.size());
  return all;
}

}  // namespace

void add_doctor(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("doctor", "Show this computer as jackdaw sees it, and what limits it");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON instead of text");
  command.footer(
      "Starts the workers that a program would get by default and shows where each is; changes nothing.\n"
      "Examples:\n"
      "  jackdaw doctor\n"
      "  JACKDAW_WORKERS=4 taskset -c 0-3 jackdaw doctor\n"
      "  HWLOC_SYNTHETIC='package:8 l3:1 core:4 pu:2' jackdaw doctor");
  command.callback([json, &result] {
    const diagnosis all = diagnose();
    *json ? print_json(all) : print_text(all);
    result = good;
  });
}

}  // namespace jackdaw::cli
