#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace jackdaw::detail {

/// Null if it is not set.
inline const char* from_environment(const char* name) noexcept {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): the library never changes the environment
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
