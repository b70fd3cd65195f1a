#pragma once

#include <string>
#include <string_view>

namespace jackdaw::checks {

/// The function that an address is in.
struct symbol {
  std::string name;   ///< as the linker knows it; empty: not known
  std::string place;  ///< the file, and what addr2line takes for the address in it

  /// Whether it is jackdaw's or the C++ library's own: what a person wants to know is who called it.
  bool of_library() const noexcept;
  /// Whether it was made of a template.
  bool of_template() const;
  /// `name(arguments) (place)`.
  std::string shown() const;
};

symbol find_symbol(const void* address);

}  // namespace jackdaw::checks
