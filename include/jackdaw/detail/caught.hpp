#pragma once

#include <exception>

#pragma GCC visibility push(default)

namespace jackdaw::detail {

/// The exception being handled. Ends the program where that is none of C++: a foreign one, or the end of a thread
/// (pthread_exit, pthread_cancel), which nobody could throw again.
std::exception_ptr caught() noexcept;

}  // namespace jackdaw::detail

#pragma GCC visibility pop
