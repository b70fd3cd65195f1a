#pragma once

#include <string>

#include <jackdaw/machine.hpp>

#include "kernels/common/kernel.hpp"

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// The kernel and its options as typed. Numbers stay text, so that one place reports what is wrong with them.
struct kernel_arguments {
  std::string kernel, size, shape, input, iterations, hints, workers;
};

/// Adds the argument KERNEL and the options --size, --shape, --input, --iterations and --hints to a command. Each
/// command adds --workers itself, because its meaning differs.
void add_kernel_options(CLI::App& command, kernel_arguments& given);

/// The chosen kernel, checked and with every default filled in.
struct chosen_kernel {
  const kernels::kernel* kernel = nullptr;
  kernels::request request;
};

/// `where` supplies the default number of workers. Throws jackdaw::error that names the option.
chosen_kernel choose_kernel(const kernel_arguments& given, const machine& where);

}  // namespace jackdaw::cli
