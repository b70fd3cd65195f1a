#pragma once

#include <string>

#include <jackdaw/machine.hpp>

#include "kernels/common/kernel.hpp"

namespace CLI {
class App;
}

namespace jackdaw::cli {

/// Which kernel a command is about, as it was typed; numbers stay text so that one place says what is wrong with them.
struct kernel_arguments {
  std::string kernel, size, shape, input, iterations, hints, workers;
};

/// Gives a command the argument KERNEL and --size, --shape, --input, --iterations, --hints. --workers is added by the
/// command, which alone knows what it means.
void add_kernel_options(CLI::App& command, kernel_arguments& given);

/// What was asked for, checked and with every default filled in.
struct chosen_kernel {
  const kernels::kernel* kernel = nullptr;
  kernels::request request;
};

/// `where` says how many workers there are when nobody does. Throws jackdaw::error that names the option.
chosen_kernel choose_kernel(const kernel_arguments& given, const machine& where);

}  // namespace jackdaw::cli
