#pragma once

#include <exception>
#include <string>

#include "jackdaw/detail/export.hpp"

// How the headers catch and throw. A program may be compiled with -fno-exceptions: then its tasks do not throw, there
// are no handlers, and an exception of the library ends the program with its message.
#ifdef __cpp_exceptions
#define JACKDAW_TRY try
#define JACKDAW_CATCH catch (...)
#define JACKDAW_CATCH_OF(type) catch (type)
#define JACKDAW_RETHROW throw
#else
#define JACKDAW_TRY if (true)
#define JACKDAW_CATCH else
#define JACKDAW_CATCH_OF(type) else
#define JACKDAW_RETHROW static_cast<void>(0)
#endif

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Returns the exception that is being handled. Ends the program if it is no C++ exception: a foreign one, or the end
/// of a thread (pthread_exit, pthread_cancel). Such an exception cannot be rethrown.
std::exception_ptr caught() noexcept;

/// For a program that is compiled without exceptions, whose functions none could pass: each prints the message and ends
/// the program.
namespace without_exceptions {
[[noreturn]] void throw_error(const std::string& what) noexcept;
[[noreturn]] void throw_out_of_range(const char* what) noexcept;
[[noreturn]] void throw_bad_length() noexcept;
[[noreturn]] void throw_cancelled() noexcept;
}  // namespace without_exceptions

#ifdef __cpp_exceptions
/// Throws error.
[[noreturn]] void throw_error(const std::string& what);
/// Throws std::out_of_range.
[[noreturn]] void throw_out_of_range(const char* what);
/// Throws std::bad_array_new_length.
[[noreturn]] void throw_bad_length();
/// Throws cancelled.
[[noreturn]] void throw_cancelled();
#else
using namespace without_exceptions;
#endif

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
