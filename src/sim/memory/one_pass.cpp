#include "sim/memory/one_pass.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jackdaw::sim {
namespace {

/// Accesses that are made together take turns after so many bytes: at least a block, and less than any private cache.
constexpr std::uint64_t piece = 4096;

std::uint64_t end_of(const dense_access& of) { return of.first + (of.rows - 1) * of.stride + of.length; }

}  // namespace

std::span<const dense_access> one_pass::order(std::span<const dense_access> accesses) {
  by_address_.resize(accesses.size());
  std::iota(by_address_.begin(), by_address_.end(), std::size_t{0});
  std::ranges::sort(by_address_, {}, [&](std::size_t at) { return std::pair(accesses[at].first, at); });
  groups_.clear();
  for (std::size_t at = 0; at < by_address_.size(); ++at) {
    const std::size_t index = by_address_[at];
    const dense_access& of = accesses[index];
    if (groups_.empty() || of.first >= groups_.back().end)
      groups_.push_back({.end = 0, .count = 0, .earliest = index, .begin = at});
    group& last = groups_.back();
    last.end = std::max(last.end, end_of(of));
    last.earliest = std::min(last.earliest, index);
    ++last.count;
  }
  if (groups_.size() == accesses.size()) return accesses;
  std::ranges::sort(groups_, {}, &group::earliest);
  ordered_.clear();
  for (const group& each : groups_) {
    if (each.count == 1) {
      ordered_.push_back(accesses[each.earliest]);
      continue;
    }
    const std::size_t begin = ordered_.size();
    for (std::size_t at = each.begin; at < each.begin + each.count; ++at) add_pieces(accesses[by_address_[at]]);
    std::ranges::sort(ordered_.begin() + static_cast<std::ptrdiff_t>(begin), ordered_.end(), {},
                      [](const dense_access& of) { return std::pair(of.first, of.write); });
  }
  return ordered_;
}

void one_pass::add_pieces(const dense_access& of) {
  for (std::uint64_t row = 0; row < of.rows; ++row) {
    std::uint64_t first = of.first + row * of.stride;
    const std::uint64_t end = first + of.length;
    while (first < end) {
      const std::uint64_t next = std::min(end, (first / piece + 1) * piece);
      ordered_.push_back({.first = first, .length = next - first, .stride = 0, .rows = 1, .write = of.write});
      first = next;
    }
  }
}

std::size_t one_pass::footprint() const noexcept {
  return by_address_.capacity() * sizeof(std::size_t) + groups_.capacity() * sizeof(group) +
         ordered_.capacity() * sizeof(dense_access);
}

}  // namespace jackdaw::sim
