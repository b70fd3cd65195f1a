#pragma once

#include <stdexcept>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The exception for input that jackdaw cannot use: an option, an environment variable, an argument or a file.
///
/// what() is one line. It says what was wrong, where the value came from and what was expected. The program `jackdaw`
/// prints this line and exits with status 2.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
