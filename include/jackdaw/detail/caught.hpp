#pragma once

#include <exception>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Returns the exception that is being handled. Ends the program if it is no C++ exception: a foreign one, or the end
/// of a thread (pthread_exit, pthread_cancel). Such an exception cannot be rethrown.
std::exception_ptr caught() noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
