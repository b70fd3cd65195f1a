#pragma once

#include <stdexcept>

#pragma GCC visibility push(default)

namespace jackdaw {

/// What jackdaw throws for anything a user gave it and it cannot use: an option, an environment variable, a file.
/// what() is one line that says what was wrong, where it was given and what was expected; the program `jackdaw`
/// prints it and exits with status 2.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jackdaw

#pragma GCC visibility pop
