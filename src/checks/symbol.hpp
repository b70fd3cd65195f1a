#pragma once

#include <string>
#include <string_view>

namespace jackdaw::checks {

/// The function that an address is in.
struct symbol {
  std::string name;   ///< as the linker knows it; empty: not known
  std::string place;  ///< the file, and the address in it in addr2line's form

  /// Whether the function belongs to jackdaw or the C++ library; a reader wants to know its caller.
  bool of_library() const noexcept;
  /// Whether the function is a template's instance.
  bool of_template() const;
  /// `name(arguments) (place)`.
  std::string shown() const;
};

symbol find_symbol(const void* address);

}  // namespace jackdaw::checks
