#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <jackdaw/error.hpp>

namespace jackdaw::kernels {

/// Reads a text line by line and field by field, and knows the line number for messages.
class line_reader {
 public:
  line_reader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  /// Advances to the next line. False at the end of the text.
  bool next() {
    ++number_;
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    return true;
  }

  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  bool blank() const { return line_.find_first_not_of(blanks) == line_.npos; }

  /// Removes and returns the line's next field; empty if there is none.
  std::string_view field() {
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    const std::string_view result = line_.substr(0, line_.find_first_of(blanks));
    line_.remove_prefix(result.size());
    return result;
  }

  /// Removes and returns a number; nullopt if the next field is no number.
  template <class Number>
  std::optional<Number> number_field() {
    const std::string_view text = field();
    Number result{};
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (text.empty() || bad != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return result;
  }

  [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
    throw error(name_ + ':' + std::to_string(number_) + ": found " + found + ", expected " + expected);
  }

  /// A line as a message shows it.
  static std::string quoted(std::string_view line) {
    constexpr std::size_t most = 60;
    return '\'' + std::string(line.substr(0, most)) + (line.size() > most ? "...'" : "'");
  }

 private:
  static constexpr std::string_view blanks = " \t\r";

  std::string_view rest_, line_;
  const std::string& name_;
  std::size_t number_ = 0;
};

}  // namespace jackdaw::kernels
