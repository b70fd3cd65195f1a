#include "cli/terminal/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/terminal/terminal.hpp"
#include "cli/text.hpp"

namespace jackdaw::cli {

table::table(std::vector<column> columns, std::size_t heads) : columns_(std::move(columns)), heads_(heads) {}

void table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = one_line(std::move(cells[i]));
    columns_[i].least = std::max(columns_[i].least, columns_of(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::string table::text(std::size_t from, std::size_t to, std::optional<std::size_t> width) const {
  std::string all;
  for (std::size_t first = 1, last = 1; first == 1 || first < columns_.size(); first = last) {
    std::size_t used = columns_[0].least;
    while (last < columns_.size() &&
           (last == first || !width || used + columns_[last].gap + columns_[last].least <= *width)) {
      used += columns_[last].gap + columns_[last].least;
      ++last;
    }
    if (first != 1) all += '\n';
    for (std::size_t row = 0; row < heads_ + to; ++row) {
      if (row >= heads_ && row < heads_ + from) continue;
      std::string line;
      const auto put = [&](std::size_t i) {
        const std::string& cell = rows_[row][i];
        const std::string blanks(columns_[i].least - columns_of(cell), ' ');
        line += columns_[i].left ? cell + blanks : blanks + cell;
      };
      put(0);
      for (std::size_t i = first; i < last; ++i) {
        line.append(columns_[i].gap, ' ');
        put(i);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += (row < heads_ ? styled(line, style::heading) : line) + '\n';
    }
    if (last == 1) break;
  }
  return all;
}

void table::print() const { print(0, rows_.size() - heads_); }

void table::print(std::size_t first, std::size_t last) const {
  fmt::print("{}", text(first, last, terminal_columns(stdout)));
}

}  // namespace jackdaw::cli
