#pragma once

#include <string>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// An option that is a text: a std::string that refuses a null pointer, which std::getenv() may return, as other bad
/// options are refused.
class option_text : public std::string {
 public:
  option_text() = default;
  /// Throws error for null.
  option_text(const char* text) : std::string(checked(text)) {}  // NOLINT(google-explicit-constructor): as its base
  option_text(std::string text) noexcept : std::string(std::move(text)) {}  // NOLINT(google-explicit-constructor)

 private:
  static const char* checked(const char* text) {
    if (text == nullptr) {
      throw_error("options: a null pointer where a text is expected; \"\" leaves an option alone");
    }
    return text;
  }
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
