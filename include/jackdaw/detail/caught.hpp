#pragma once

#include <exception>

#pragma GCC visibility push(default)

namespace jackdaw::detail {

/// The exception being handled. Ends the program if it is no C++ exception: a foreign one, or the end of a thread
/// (pthread_exit, pthread_cancel). Such an exception cannot be rethrown.
std::exception_ptr caught() noexcept;

}  // namespace jackdaw::detail

#pragma GCC visibility pop
