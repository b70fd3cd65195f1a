#include "profile/hotness/data_area.hpp"

#include <algorithm>

namespace jackdaw::profile {
namespace {

/// splitmix64.
std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

std::size_t area_length(const std::vector<data_area>& ranges, std::uint32_t parts) noexcept {
  std::size_t all = 0;
  for (const data_area& each : ranges) all += each.bytes();
  return std::max<std::size_t>(1, (all + parts - 1) / parts);
}

void divide(const data_area& range, std::size_t length, std::vector<data_area>& into) {
  const std::size_t whole = (length + range.page - 1) / range.page * range.page;
  for (std::uintptr_t at = range.begin; at < range.end; at += whole) {
    into.push_back({at, at + std::min<std::size_t>(whole, range.end - at), range.page, range.holder});
  }
}

std::vector<std::uintptr_t> sampled_pages(const data_area& of, std::uint32_t count, std::uint64_t seed) {
  const std::size_t pages = of.bytes() / of.page;
  const std::size_t chosen = std::min<std::size_t>(count, pages);
  std::vector<std::uintptr_t> all;
  for (std::size_t i = 0; i < chosen; ++i) {
    const std::size_t first = pages * i / chosen, beyond = pages * (i + 1) / chosen;
    const std::size_t page = first + mixed(seed + i) % (beyond - first);
    all.push_back(of.begin + page * of.page);
  }
  return all;
}

double heat_of(const data_area& of, double mean, std::size_t base) noexcept {
  return static_cast<double>(of.bytes()) / static_cast<double>(base) * mean;
}

}  // namespace jackdaw::profile
