#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include <jackdaw/jackdaw.hpp>

#include <algorithm>
#include <memory>

#include "cli/bench/bench_report.hpp"
#include "cli/bench/bench_run.hpp"
#include "cli/bench/bench_store.hpp"
#include "cli/commands.hpp"
#include "cli/empty_folder.hpp"
#include "cli/help/completion.hpp"
#include "cli/kernel_options.hpp"
#include "cli/memory_limit.hpp"
#include "cli/result_file.hpp"
#include "cli/scheduler_options.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

// The command line as typed. Numbers stay text, so that one place reports what is wrong with them.
struct arguments {
  kernel_arguments kernel;
  scheduler_arguments schedulers;
  store_arguments store;
  std::string against, order;
  std::string memory = "all";
  std::string repeat = "5", warm_up = "1", pause = "250";
  std::string snapshots;
  bool no_pin = false, json = false, counters = false;
};

bench_plan plan_for(const arguments& given, const machine& where) {
  if (environment("JACKDAW_RECORD")) {
    throw error("JACKDAW_RECORD: set, but a recorded run cannot be measured; unset it, or use `jackdaw record`");
  }
  bench_plan plan;
  const chosen_kernel chosen = choose_kernel(given.kernel, where);
  plan.kernel = chosen.kernel;
  plan.request = chosen.request;
  plan.repeat = number_of(given.repeat, "--repeat", 1, 1'000'000);
  plan.warm_up = number_of(given.warm_up, "--warm-up", 0, 1'000'000);
  plan.pause_ms = number_of(given.pause, "--pause", 0, 60'000);

  plan.counters = given.counters;
  plan.runtime_options.count_accesses = given.counters;
  if (given.no_pin) plan.runtime_options.pin = false;
  plan.runtime_options.order = parse_placement_order(given.order, "--order");
  plan.runtime_options.workers = plan.request.workers;
  if (given.schedulers.names.empty()) {
    if (const auto asked = environment("JACKDAW_SCHEDULER")) check_scheduler(*asked, "JACKDAW_SCHEDULER");
    plan.schedulers = {""};
  } else {
    plan.schedulers = chosen_schedulers(given.schedulers.names);
  }
  const sched::settings told = chosen_settings(given.schedulers);
  plan.runtime_options.data_size = told.data;
  plan.runtime_options.branching = told.branching;
  plan.runtime_options.node_order = given.schedulers.node_order;
  if (!given.snapshots.empty()) {
    if (!chosen.kernel->takes_snapshots) {
      throw error(fmt::format("--snapshots: {} makes no snapshots", chosen.kernel->name));
    }
    check_empty_folder(given.snapshots, "--snapshots");
    plan.request.snapshots = given.snapshots;
  }
  if (!given.against.empty()) plan.against = list_of(given.against, "--against");
  if (std::find(plan.against.begin(), plan.against.end(), "jackdaw") != plan.against.end()) {
    throw error("--against: 'jackdaw', expected other runtimes (--scheduler chooses jackdaw's own sides)");
  }
  return plan;
}

void run(const arguments& given, int& result) {
  const machine where = machine::detect();
  const bench_plan plan = plan_for(given, where);
  limit_memory(given.memory, where);
  const std::optional<result_store> store = wanted_store(given.store);
  guarded<bench_result> measured;
  progress shown;
  const auto keep = [&] {
    shown.clear();
    bench_plan complete = plan;
    complete.repeat = measured.value.rounds();
    store_and_print(
        store, [&](const database& into) { return insert_bench(into, complete, measured.value); },
        [&](const stored_as& stored) {
          given.json ? print_json(complete, measured.value, stored) : print_table(complete, measured.value, stored);
        });
  };
  interruption watched(measured.changing, [&] {
    const unsigned rounds = measured.value.rounds();
    if (rounds != 0) keep();
    shown.clear();
    say_interrupted(rounds, plan.repeat, "round");
  });
  run_bench(plan, measured, shown);
  watched.done();
  keep();
  result = good;
}

}  // namespace

void add_bench(CLI::App& program, int& result) {
  CLI::App& command =
      *program.add_subcommand("bench", "Measure a kernel under several schedulers and other runtimes, in turn");
  const auto given = std::make_shared<arguments>();
  given->order = name_of(placement_order::scatter);
  add_kernel_options(command, given->kernel);
  command.add_option("--scheduler", given->schedulers.names,
                     "Comma-separated schedulers; default: $JACKDAW_SCHEDULER, else jackdaw's default");
  add_scheduler_options(command, given->schedulers);
  offer(*command.add_option("--against", given->against, "Comma-separated other runtimes: tbb,openmp,serial"),
        {"tbb", "openmp", "serial"});
  command.add_option("--workers", given->kernel.workers,
                     "Workers of every side; default: $JACKDAW_WORKERS, else one per usable core");
  command.add_option("--repeat", given->repeat, "Measured runs of each side")->capture_default_str();
  command
      .add_option("--warm-up", given->warm_up, "Runs of each side before the measured ones, checked but not measured")
      ->capture_default_str();
  command.add_option("--pause", given->pause, "Milliseconds between two sides, in which idle threads go to sleep")
      ->capture_default_str();
  command.add_flag("--no-pin", given->no_pin, "Do not pin jackdaw's workers to CPUs");
  command
      .add_option("--order", given->order,
                  "scatter: spread workers over all packages; compact: fill one package after another")
      ->capture_default_str();
  command
      .add_option("--memory", given->memory,
                  "Memory nodes that all sides may use: dram, hbm or all; the program dies when they are full")
      ->capture_default_str();
  command.add_option("--snapshots", given->snapshots,
                     "A new or empty folder for pictures of each side's first run, for kernels that make some");
  add_store_options(command, given->store);
  command.add_flag("--counters", given->counters,
                   "Print all that workers counted in a run, and count all declared accesses as local or remote");
  command.add_flag("--json", given->json, "Print JSON instead of a table");
  command.footer(
      "The sides run in turn (A B C, A B C, ...) in one process, and every result is checked. An SQLite file keeps\n"
      "the results; a bench is added to it as a whole or not at all.\n"
      "Examples:\n"
      "  jackdaw bench fib --size tiny\n"
      "  jackdaw bench heat2d --scheduler adws,random --against tbb,openmp,serial --repeat 11\n"
      "  HWLOC_SYNTHETIC='package:8 core:1 pu:1' jackdaw bench fib --scheduler adws --workers 8\n"
      "  sqlite3 jackdaw.db 'SELECT side, scheduler, min(seconds) FROM run GROUP BY side, scheduler'");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
