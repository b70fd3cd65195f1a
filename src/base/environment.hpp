#pragma once

#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jackdaw/error.hpp"

namespace jackdaw::detail {

/// Null if it is not set, or empty.
inline const char* from_environment(const char* name) noexcept {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): the library never changes them
  return value != nullptr && *value != '\0' ? value : nullptr;
}

/// Whether a variable that cannot be used is an error, as it is in the program jackdaw. In a user's program it is
/// ignored: such a program did not ask for it, and may not know of jackdaw.
inline constinit std::atomic<bool> strict_environment{false};

/// Throws `why`, which says why the variable cannot be used, if the environment is strict; otherwise a line on stderr
/// says, once in a process for each variable, that it is ignored.
void ignore_variable(const char* name, const error& why);

/// Returns `read(text, name)` for the variable's text; `otherwise` if it is not set, or ignored because read() throws
/// error.
template <class T, class Read>
T read_variable(const char* name, T otherwise, const Read& read) {
  if (const char* const text = from_environment(name)) {
    try {
      return read(text, name);
    } catch (const error& why) {
      ignore_variable(name, why);
    }
  }
  return otherwise;
}

/// A name as an error message shows it: on one line and at most 64 characters of it.
inline std::string shown(std::string_view name) {
  constexpr std::size_t most = 64;
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char each : name.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x20 && byte < 0x7f) {
      text += each;
    } else {
      text += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return name.size() > most ? text + "..." : text;
}

}  // namespace jackdaw::detail
