#pragma once

#include <unistd.h>

#include <charconv>
#include <concepts>
#include <string_view>

namespace jackdaw::detail {

inline void print_one(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

template <std::integral N>
void print_one(int file, N number) noexcept {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  print_one(file, std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

/// Prints text and numbers to a file descriptor; async-signal-safe.
template <class... Parts>
void print(int file, const Parts&... parts) noexcept {
  (print_one(file, parts), ...);
}

}  // namespace jackdaw::detail
