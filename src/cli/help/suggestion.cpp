#include "cli/help/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jackdaw::cli {
namespace {

/// How many characters have to be added, removed, replaced, or swapped with their neighbour (Damerau and Levenshtein's
/// distance, without edits of swapped ones).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_before(b.size() + 1), before(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) before[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], two_before[j - 2] + 1);
    }
    two_before.swap(before);
    before.swap(now);
  }
  return before[b.size()];
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& words) {
  constexpr std::size_t longest = 64;  // no name is longer
  if (word.empty() || word.size() > longest) return "";
  std::size_t nearest = std::max<std::size_t>(1, word.size() / 3) + 1;
  const std::string* found = nullptr;
  for (const std::string& each : words) {
    const std::size_t away = distance(word, each);
    if (away >= nearest || away >= each.size()) continue;
    nearest = away;
    found = &each;
  }
  return found != nullptr ? fmt::format("; did you mean {}?", *found) : "";
}

}  // namespace jackdaw::cli
