#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include <jackdaw/jackdaw.hpp>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/kernel_options.hpp"
#include "cli/record/record_kernel.hpp"
#include "cli/terminal/say.hpp"
#include "cli/terminal/table.hpp"
#include "cli/text.hpp"
#include "cli/whole_file.hpp"
#include "trace/trace_file.hpp"
#include "trace/tree_summary.hpp"

namespace jackdaw::cli {
namespace {

struct arguments {
  kernel_arguments kernel;
  std::string file, recordings = "5";
  bool force = false;
};

std::string time_text(double ns) {
  if (ns >= 1e9) return fmt::format("{:.3f} s", ns * 1e-9);
  if (ns >= 1e6) return fmt::format("{:.3f} ms", ns * 1e-6);
  return fmt::format("{:.3f} us", ns * 1e-3);
}

std::vector<std::string> cells_of(const std::string& label, const trace::tree_summary& it) {
  return {label,
          fmt::format("{}", it.tasks),
          fmt::format("{}", it.leaves),
          fmt::format("{}", it.forks),
          time_text(it.work),
          time_text(it.critical_path),
          it.critical_path > 0 ? fmt::format("{:.1f}", it.work / it.critical_path) : "-",
          bytes_text(it.bytes_read),
          bytes_text(it.bytes_written)};
}

void run(const arguments& given, int& result) {
  const chosen_kernel chosen = choose_kernel(given.kernel, machine::detect());
  const std::string file = given.file.empty() ? std::string(chosen.kernel->name) + ".trace" : given.file;
  const unsigned recordings = number_of(given.recordings, "--recordings", 1, 1000);
  check_output(file, given.force, "-o");
  progress shown;
  const trace::task_tree tree =
      record_fastest(*chosen.kernel, chosen.request, chosen.request.workers, recordings, &shown);
  shown.clear();
  trace::write_trace(tree, file);

  say("{}, for {}, recorded on one; the result was checked\n\n", tree.program, count_text(tree.workers, "worker"));
  table parts({{8, 0, true}, {10}, {10}, {10}, {13}, {13}, {11}, {11}, {11}});
  parts.add({"root", "tasks", "leaves", "forks", "work T1", "crit. path", "parallelism", "reads", "writes"});
  for (const trace::root& each : tree.roots) parts.add(cells_of(each.label, trace::summarise(tree, each)));
  parts.add(cells_of("all", trace::summarise(tree)));
  parts.print();
  say("\nwork and critical path: measured; reads and writes: declared.\n");
  say("written to {}\n", one_line(file));
  result = good;
}

}  // namespace

void add_record(CLI::App& program, int& result) {
  CLI::App& command = *program.add_subcommand("record", "Write a kernel's task tree to a file");
  const auto given = std::make_shared<arguments>();
  add_kernel_options(command, given->kernel);
  command.add_option("--workers", given->kernel.workers,
                     "The number of workers to record for; default: $JACKDAW_WORKERS, else one per usable core");
  command.add_option("--recordings", given->recordings, "How many times to record; each step's fastest time counts")
      ->capture_default_str();
  command.add_option("-o", given->file, "The file to write; default: KERNEL.trace");
  command.add_flag("--force", given->force, "Replace that file if it exists");
  command.footer(
      "The kernel runs serially. docs/traces.md describes the file. To record any other program that uses\n"
      "jackdaw, run it with JACKDAW_RECORD=FILE.\n"
      "Examples:\n"
      "  jackdaw record fib --size 20\n"
      "  jackdaw record heat2d --workers 64 --iterations 10 -o heat.trace");
  command.callback([given, &result] { run(*given, result); });
}

}  // namespace jackdaw::cli
