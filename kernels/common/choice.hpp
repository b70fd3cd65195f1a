#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::kernels {

/// A name that a user may give, and its meaning.
template <class T>
struct choice {
  std::string_view name;
  T value;
};

/// Returns the names of a table of choices.
template <class Table>
std::vector<std::string_view> names(const Table& table) {
  std::vector<std::string_view> result;
  std::ranges::transform(table, std::back_inserter(result), [](const auto& entry) { return entry.name; });
  return result;
}

/// Returns the meaning of `wanted` in a table of choices; the first entry if `wanted` is empty. Throws jackdaw::error
/// that names the kernel, the kind of choice ("size") and all known names.
template <class Table>
auto choose(const Table& table, std::string_view kernel, std::string_view thing, std::string_view wanted) {
  if (wanted.empty()) return table.front().value;
  for (const auto& entry : table)
    if (entry.name == wanted) return entry.value;
  std::string message =
      std::string(kernel) + ": unknown " + std::string(thing) + " '" + std::string(wanted) + "', expected one of";
  for (const auto& entry : table) message += ' ' + std::string(entry.name);
  throw error(message);
}

}  // namespace jackdaw::kernels
