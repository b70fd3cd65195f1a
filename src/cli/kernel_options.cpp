#include "cli/kernel_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include "base/worker_count.hpp"

#include <algorithm>

#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

const kernels::kernel& kernel_called(const std::string& name) {
  if (const kernels::kernel* const found = kernels::find(name)) return *found;
  std::vector<std::string_view> names;
  for (const kernels::kernel& kernel : kernels::all()) names.push_back(kernel.name);
  throw error(fmt::format("unknown kernel '{}', expected one of {}", one_line(name), joined(names)));
}

// Returns `given` if the kernel has it, and the default if `given` is empty.
std::string choose(const kernels::kernel& kernel, const char* option, const std::string& given,
                   const std::vector<std::string_view>& choices) {
  if (given.empty()) return choices.empty() ? "" : std::string(choices.front());
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  throw error(fmt::format("{}: {} has no '{}', expected {}", option, kernel.name, one_line(given),
                          choices.empty() ? "nothing" : "one of " + joined(choices)));
}

unsigned worker_count(const std::string& option, const machine& where) {
  if (!option.empty()) return parse_worker_count(option, "--workers");
  if (const auto asked = environment("JACKDAW_WORKERS")) return parse_worker_count(*asked, "JACKDAW_WORKERS");
  return where.default_workers();
}

}  // namespace

void add_kernel_options(CLI::App& command, kernel_arguments& given) {
  command.add_option("KERNEL", given.kernel, "A kernel from `jackdaw list`")->required();
  command.add_option("--size", given.size, "Problem size; default: the first that `jackdaw list` shows");
  command.add_option("--shape", given.shape, "Variant of the kernel; default: the first that `jackdaw list` shows");
  command.add_option("--input", given.input, "Input file, for kernels that take one");
  command.add_option("--iterations", given.iterations, "Iterations, for iterative kernels; default: the kernel's");
  command.add_option(
      "--hints", given.hints,
      "Deliberately wrong work hints, for kernels that take them: fixed:ALPHA or random:ALPHA, ALPHA from 0 to 1");
}

chosen_kernel choose_kernel(const kernel_arguments& given, const machine& where) {
  chosen_kernel chosen;
  const kernels::kernel& kernel = kernel_called(given.kernel);
  chosen.kernel = &kernel;
  chosen.request.size = choose(kernel, "--size", given.size, kernel.sizes);
  chosen.request.shape = choose(kernel, "--shape", given.shape, kernel.shapes);
  if (!given.input.empty() && !kernel.takes_input) {
    throw error(fmt::format("--input: {} takes no input file", kernel.name));
  }
  chosen.request.input = given.input;
  if (!given.hints.empty() && !kernel.takes_hints) {
    throw error(fmt::format("--hints: {} takes no work hints", kernel.name));
  }
  chosen.request.hints = given.hints;
  if (!given.iterations.empty()) {
    if (!kernel.iterates) throw error(fmt::format("--iterations: {} does not iterate", kernel.name));
    chosen.request.iterations = number_of(given.iterations, "--iterations", 1, 1'000'000'000);
  }
  chosen.request.workers = worker_count(given.workers, where);
  return chosen;
}

}  // namespace jackdaw::cli
