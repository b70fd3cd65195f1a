#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::cli {

/// Rows of cells. On a terminal with too few columns, those that do not fit follow below, beside the first one again.
class table {
 public:
  struct column {
    std::size_t least = 0;  ///< characters, before cells need more
    std::size_t gap = 1;    ///< blanks before it
    bool left = false;      ///< aligned; else to the right
  };

  /// The first `heads` rows are headings.
  explicit table(std::vector<column> columns, std::size_t heads = 1);

  /// One cell a column. What a terminal would obey is escaped.
  void add(std::vector<std::string> cells);
  /// Prints it to stdout: all, or the headings and rows first to last - 1 below them, in columns as wide as all need.
  void print() const;
  void print(std::size_t first, std::size_t last) const;
  /// Returns these in at most `width` columns, if that can be.
  std::string text(std::size_t from, std::size_t to, std::optional<std::size_t> width) const;

 private:
  std::vector<column> columns_;
  std::size_t heads_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace jackdaw::cli
