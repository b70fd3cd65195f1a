#include <parlay/parallel.h>
#include <parlay/primitives.h>
#include <parlay/sequence.h>

#include <cctype>

#include "programs.hpp"

namespace programs {

std::vector<std::pair<std::string, std::size_t>> word_counts(const std::string& text) {
  const auto letters = parlay::map(text, [](char c) {
    const auto letter = static_cast<unsigned char>(c);
    return std::isalpha(letter) != 0 ? static_cast<char>(std::tolower(letter)) : ' ';
  });
  auto words = parlay::tokens(letters, [](char c) { return c == ' '; });
  auto counts = parlay::histogram_by_key(std::move(words));
  parlay::sort_inplace(counts, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<std::string, std::size_t>> result(counts.size());
  parlay::parallel_for(0, counts.size(), [&](std::size_t i) {
    result[i] = {std::string(counts[i].first.begin(), counts[i].first.end()), counts[i].second};
  });
  return result;
}

std::vector<std::size_t> suffix_array(const std::string& text) {
  // Prefix doubling: places sorted by their first 1, 2, 4, ... letters, until no two are alike.
  const std::size_t n = text.size();
  auto ranks = parlay::tabulate(
      n, [&](std::size_t i) -> std::uint64_t { return static_cast<unsigned char>(text[i]) + std::uint64_t{1}; });
  auto order = parlay::tabulate(n, [](std::size_t i) { return i; });
  for (std::size_t length = 1; n > 0; length *= 2) {
    const auto keys = parlay::tabulate(
        n, [&](std::size_t i) { return std::pair(ranks[i], i + length < n ? ranks[i + length] : std::uint64_t{0}); });
    order = parlay::sort(order, [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    auto differs = parlay::tabulate(
        n, [&](std::size_t k) -> std::uint64_t { return k == 0 || keys[order[k - 1]] != keys[order[k]] ? 1 : 0; });
    const std::uint64_t different = parlay::scan_inclusive_inplace(differs);
    parlay::parallel_for(0, n, [&](std::size_t k) { ranks[order[k]] = differs[k]; });
    if (different == n || length >= n) break;
  }
  return {order.begin(), order.end()};
}

}  // namespace programs
