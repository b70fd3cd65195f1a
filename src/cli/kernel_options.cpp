#include "cli/kernel_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <jackdaw/error.hpp>
#include "base/worker_count.hpp"

#include <algorithm>

#include "cli/help/completion.hpp"
#include "cli/help/suggestion.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {
namespace {

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const kernels::kernel& kernel : kernels::all()) names.emplace_back(kernel.name);
  return names;
}

const kernels::kernel& kernel_called(const std::string& name) {
  if (const kernels::kernel* const found = kernels::find(name)) return *found;
  const std::vector<std::string> names = kernel_names();
  throw error(fmt::format("unknown kernel '{}', expected one of {}{}", one_line(name), joined(names),
                          suggestion_among(name, names)));
}

// Returns `given` if the kernel has it, and the default if `given` is empty.
std::string choose(const kernels::kernel& kernel, const char* option, const std::string& given,
                   const std::vector<std::string_view>& choices) {
  if (given.empty()) return choices.empty() ? "" : std::string(choices.front());
  if (std::find(choices.begin(), choices.end(), given) != choices.end()) return given;
  throw error(fmt::format("{}: {} has no '{}', expected {}{}", option, kernel.name, one_line(given),
                          choices.empty() ? "nothing" : "one of " + joined(choices), suggestion_among(given, choices)));
}

unsigned worker_count(const std::string& option, const machine& where) {
  if (!option.empty()) return parse_worker_count(option, "--workers");
  if (const auto asked = environment("JACKDAW_WORKERS")) return parse_worker_count(*asked, "JACKDAW_WORKERS");
  return std::min(where.default_workers(), max_workers);
}

/// Values that depend on the kernel, which the command line names somewhere.
void offer_of_kernel(const CLI::Option& option, const std::vector<std::string_view> kernels::kernel::* what) {
  offer(option, [what](const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const kernels::kernel* const kernel = kernels::find(word);
      if (kernel != nullptr) return std::vector<std::string>((kernel->*what).begin(), (kernel->*what).end());
    }
    return std::vector<std::string>();
  });
}

}  // namespace

void add_kernel_options(CLI::App& command, kernel_arguments& given) {
  offer(*command.add_option("KERNEL", given.kernel, "A kernel from `jackdaw list`")->required(), kernel_names());
  offer_of_kernel(
      *command.add_option("--size", given.size, "Problem size; default: the first that `jackdaw list` shows"),
      &kernels::kernel::sizes);
  offer_of_kernel(*command.add_option("--shape", given.shape,
                                      "Variant of the kernel; default: the first that `jackdaw list` shows"),
                  &kernels::kernel::shapes);
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
