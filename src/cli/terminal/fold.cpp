#include "cli/terminal/fold.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/terminal/terminal.hpp"

namespace jackdaw::cli {
namespace {

/// A paragraph: a line and those that continue it.
struct paragraph {
  std::string_view label;               ///< with the blanks before and behind it
  std::vector<std::string_view> lines;  ///< without label and indentation
  bool command = false;

  std::size_t indentation() const { return columns_of(label); }
};

std::size_t leading_blanks(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

paragraph begin_paragraph(std::string_view line, indented are) {
  const std::size_t lead = leading_blanks(line);
  std::size_t text = lead;
  if (const std::size_t gap = line.find("  ", lead); gap != line.npos && gap > lead) {
    text = std::min(line.find_first_not_of(' ', gap), line.size());
  }
  return {line.substr(0, text), {line.substr(text)}, are == indented::commands && lead == 2 && text == lead};
}

bool continues(const paragraph& before, std::string_view line) {
  const std::string_view last = before.lines.back();
  if (line.empty() || line.ends_with(':') || before.command || last.empty() || last.ends_with(':')) return false;
  const std::size_t lead = leading_blanks(line);
  return lead == before.indentation() && lead != 2 && line.find("  ", lead) == line.npos;
}

/// The words of a paragraph; those of a command keep what is quoted together.
std::vector<std::string> words_of(const paragraph& all) {
  std::vector<std::string> words;
  for (const std::string_view line : all.lines) {
    std::string word;
    bool quoted = false;
    for (const char c : line) {
      if (c == '\'' && all.command) quoted = !quoted;
      if (c != ' ' || quoted) {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::exchange(word, {}));
      }
    }
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

std::string folded(const paragraph& all, std::size_t width) {
  constexpr std::size_t least = 24, under_label = 6;  // columns for the text; before it, if it begins in a new line
  const std::string_view more = all.command ? " \\" : "";
  const bool below = all.indentation() + least > width;
  const bool item = all.indentation() == 2;
  const std::size_t indentation = all.command || below || item ? under_label : all.indentation();
  std::string text(all.label);
  std::size_t used = columns_of(text);
  if (below) {
    text.erase(text.find_last_not_of(' ') + 1);
    used = width;
    if (text.empty()) text.assign(used = indentation, ' ');
  }
  bool first = !below || used != width;
  for (const std::string& word : words_of(all)) {
    const std::size_t columns = columns_of(word);
    if (!first && used + 1 + columns + more.size() > width) {
      text += more;
      text += '\n';
      text.append(indentation, ' ');
      used = indentation;
      first = true;
    }
    if (!first) text += ' ';
    text += word;
    used += columns + (first ? 0 : 1);
    first = false;
  }
  return text + '\n';
}

}  // namespace

std::string fold(std::string_view text, std::size_t width, indented are) {
  std::vector<paragraph> paragraphs;
  const bool ended = text.ends_with('\n');
  if (ended) text.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!paragraphs.empty() && continues(paragraphs.back(), line)) {
      paragraphs.back().lines.push_back(line.substr(leading_blanks(line)));
    } else {
      paragraphs.push_back(begin_paragraph(line, are));
    }
    at = end + 1;
  }
  std::string result;
  for (const paragraph& each : paragraphs) {
    const bool fits = std::ranges::all_of(
        each.lines, [&](std::string_view line) { return each.indentation() + columns_of(line) <= width; });
    if (!fits) {
      result += folded(each, width);
      continue;
    }
    for (std::size_t i = 0; i < each.lines.size(); ++i) {
      i == 0 ? result.append(each.label) : result.append(each.indentation(), ' ');
      result.append(each.lines[i]);
      result += '\n';
    }
  }
  if (!ended) result.pop_back();
  return result;
}

}  // namespace jackdaw::cli
