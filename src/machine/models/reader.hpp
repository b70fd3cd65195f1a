#pragma once

#include <toml++/toml.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "machine/models/figure.hpp"

namespace jackdaw::models {

/// A place in a file, for errors and origins.
struct place {
  std::string file;
  int line = 0;
};

/// Throws jackdaw::error with "FILE:LINE: what"; without the line if there is none.
[[noreturn]] void refuse(const place& where, const std::string& what);

/// A figure as written in the file.
struct written_figure {
  double value = 0;
  bool factor = false;  ///< `times = 0.5`: multiplies the earlier value
  machine_model::provenance origin;
};

/// Reads values out of one parsed file and refuses, naming the line, what the schema does not know.
class reader {
 public:
  reader(const toml::table& document, std::string file) : document_(document), file_(std::move(file)) {}

  const toml::table& document() const noexcept { return document_; }
  place where(const toml::node& node) const { return {file_, static_cast<int>(node.source().begin.line)}; }

  /// The text at `key` of the document's top level; empty if there is none.
  std::optional<std::string> text(std::string_view key) const;

  /// { UNIT = number or word, from = "...", note = "..." }, with a value in `allowed`. `key` is for errors and the
  /// origin, which has the range if there is one: range = [least, most] in the same unit. `may_be_factor` also accepts
  /// { times = number, ... }, whose product the caller must check.
  written_figure read_figure(const toml::node& node, const std::string& key, dimension what, const range& allowed,
                             bool may_be_factor = false) const;

  /// A table, or refuses.
  const toml::table& table(const toml::node& node, std::string_view key) const;
  /// An array of tables, or refuses.
  std::vector<const toml::table*> entries(const toml::node& node, std::string_view key) const;

  /// A socket's number or an array of them.
  std::vector<unsigned> sockets(const toml::node& node) const;
  /// Two sockets, or an array of such pairs.
  std::vector<std::pair<unsigned, unsigned>> pairs(const toml::node& node) const;
  bool flag(const toml::node& node, std::string_view key) const;
  machine_model::memory_kind kind(const toml::node& node) const;

  /// Refuses every key of `table` that is not in `known`.
  void refuse_others(const toml::table& table, std::string_view name, const std::vector<std::string>& known) const;

 private:
  unsigned socket(const toml::node& node, std::string_view key) const;
  double number(const toml::node& node, const std::string& key) const;
  std::array<double, 2> range_of(const toml::node& node, const std::string& key) const;
  double word(const toml::node& node, const std::string& key, dimension what) const;

  const toml::table& document_;
  std::string file_;
};

/// The words, separated by blanks.
std::string joined(const std::vector<std::string>& words);

}  // namespace jackdaw::models
