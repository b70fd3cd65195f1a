#include <fmt/format.h>
#include <jackdaw/error.hpp>
#include <jackdaw/jackdaw.hpp>
#include <jackdaw/worker_count.hpp>

#include <algorithm>
#include <memory>

#include "cli/bench_report.hpp"
#include "cli/bench_run.hpp"
#include "cli/commands.hpp"
#include "cli/result_store.hpp"
#include "cli/text.hpp"
#include "kernels/kernel.hpp"

namespace jackdaw::cli {
namespace {

// The command line as it was typed; numbers stay text so that one place says what is wrong with them.
struct arguments {
  std::string kernel, size, shape, input, schedulers, against, workers, order, database;
  std::string iterations, repeat = "5", warm_up = "1", pause = "250";
  bool no_pin = false, json = false;
};

const kernels::kernel& kernel_called(const std::string& name) {
  if (const kernels::kernel* const found = kernels::find(name)) return *found;
  std::vector<std::string_view> names;
  for (const kernels::kernel& kernel : kernels::all()) names.push_back(kernel.name);
  throw error(fmt::format("unknown kernel '{}', expected one of {}", one_line(name), joined(names)));
}

// `given` when the kernel has it, the default when nothing was given.
std::string choose(const kernels::kernel& kernel, const char* option, const std::string& given,
                   const std::vector<std::string_view>& choices) {
  if (given.empty()) return choices.empty() ? "" : std::string(choices.front());
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  throw error(fmt::format("{}: {} has no '{}', expected {}", option, kernel.name, one_line(given),
                          choices.empty() ? "nothing" : "one of " + joined(choices)));
}

void check_scheduler(const std::string& name, std::string_view where) {
  const std::vector<std::string> known = scheduler_names();
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw error(fmt::format("{}: unknown scheduler '{}', expected one of {}", where, one_line(name), joined(known)));
}

unsigned worker_count(const std::string& option, const machine& where) {
  if (!option.empty()) return parse_worker_count(option, "--workers");
  if (const auto asked = environment("JACKDAW_WORKERS")) return parse_worker_count(*asked, "JACKDAW_WORKERS");
  return where.default_workers();
}

bench_plan plan_for(const arguments& given, const machine& where) {
  bench_plan plan;
  plan.kernel = &kernel_called(given.kernel);
  plan.request.size = choose(*plan.kernel, "--size", given.size, plan.kernel->sizes);
  plan.request.shape = choose(*plan.kernel, "--shape", given.shape, plan.kernel->shapes);
  if (!given.input.empty() && !plan.kernel->takes_input) {
    throw error(fmt::format("--input: {} takes no input file", plan.kernel->name));
  }
  plan.request.input = given.input;
  if (!given.iterations.empty()) {
    plan.request.iterations = number_of(given.iterations, "--iterations", 1, 1'000'000'000);
  }
  plan.repeat = number_of(given.repeat, "--repeat", 1, 1'000'000);
  plan.warm_up = number_of(given.warm_up, "--warm-up", 0, 1'000'000);
  plan.pause_ms = number_of(given.pause, "--pause", 0, 60'000);

  plan.runtime_options.pin = !given.no_pin;
  plan.runtime_options.order = parse_placement_order(given.order, "--order");
  plan.runtime_options.workers = plan.request.workers = worker_count(given.workers, where);
  if (given.schedulers.empty()) {
    if (const auto asked = environment("JACKDAW_SCHEDULER")) check_scheduler(*asked, "JACKDAW_SCHEDULER");
    plan.schedulers = {""};
  } else {
    plan.schedulers = list_of(given.schedulers, "--scheduler");
    for (const std::string& name : plan.schedulers) check_scheduler(name, "--scheduler");
  }
  if (!given.against.empty()) plan.against = list_of(given.against, "--against");
  if (std::find(plan.against.begin(), plan.against.end(), "jackdaw") != plan.against.end()) {
    throw error("--against: jackdaw's own sides are named by --scheduler");
  }
  return plan;
}

std::string database_of(const arguments& given) {
  if (!given.database.empty()) return given.database;
  const std::string named = environment("JACKDAW_DB").value_or("");
  return named.empty() ? "jackdaw.db" : named;
}

void run(const arguments& given, int& result) {
  const bench_plan plan = plan_for(given, machine::detect());
  result_store store(database_of(given));
  const bench_result measured = run_bench(plan);
  const auto print = given.json ? print_json : print_table;
  std::int64_t bench = 0;
  try {
    bench = store.store(plan, measured);
  } catch (const error&) {
    print(plan, measured, {store.path(), std::nullopt});
    throw;
  }
  print(plan, measured, {store.path(), bench});
  result = good;
}

}  // namespace

void add_bench(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("bench", "Measure a kernel: schedulers and other runtimes in turn");
  const auto given = std::make_shared<arguments>();
  given->order = name_of(placement_order::scatter);
  command.add_option("KERNEL", given->kernel, "Which kernel; `jackdaw list` shows them")->required();
  command.add_option("--size", given->size, "Problem size; default: the kernel's first");
  command.add_option("--shape", given->shape, "Variant of the kernel; default: its first");
  command.add_option("--input", given->input, "Input file, for kernels that take one");
  command.add_option("--scheduler", given->schedulers,
                     "Schedulers, with commas; default: $JACKDAW_SCHEDULER, else jackdaw's");
  command.add_option("--against", given->against, "Other runtimes, with commas: tbb,openmp,serial");
  command.add_option("--workers", given->workers,
                     "Workers of every side; default: $JACKDAW_WORKERS, else one for each usable core");
  command.add_option("--iterations", given->iterations, "Iterations, for iterative kernels; default: the kernel's");
  command.add_option("--repeat", given->repeat, "Measured runs of each side")->capture_default_str();
  command.add_option("--warm-up", given->warm_up, "Checked but unmeasured runs of each side first")
      ->capture_default_str();
  command.add_option("--pause", given->pause, "Milliseconds between two sides, so that idle threads go to sleep")
      ->capture_default_str();
  command.add_flag("--no-pin", given->no_pin, "Do not pin jackdaw's workers to CPUs");
  command.add_option("--order", given->order, "scatter: over all packages; compact: one after another")
      ->capture_default_str();
  command.add_option("--db", given->database, "Where results are kept; default: $JACKDAW_DB, else jackdaw.db");
  command.add_flag("--json", given->json, "Print JSON instead of a table");
  command.footer(
      "The sides run in turn (A B C, A B C, ...) in one process and every result is checked. Each bench is added to\n"
      "an SQLite file as a whole, or not at all.\n"
      "Examples:\n"
      "  jackdaw bench fib --size tiny\n"
      "  jackdaw bench heat2d --scheduler adws,random --against tbb,openmp,serial --repeat 11\n"
      "  HWLOC_SYNTHETIC='package:8 core:1 pu:1' jackdaw bench fib --scheduler adws --workers 8\n"
      "  sqlite3 jackdaw.db 'SELECT side, scheduler, min(seconds) FROM run GROUP BY side, scheduler'");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
