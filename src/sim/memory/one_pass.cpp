#include "sim/memory/one_pass.hpp"

#include <numeric>
#include <utility>

namespace jackdaw::sim {
namespace {

std::uint64_t end_of(const dense_access& of) { return of.first + (of.rows - 1) * of.stride + of.length; }

}  // namespace

void one_pass::find_groups(std::span<const dense_access> accesses) {
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
  std::ranges::sort(groups_, {}, &group::earliest);
}

std::size_t one_pass::footprint() const noexcept {
  return by_address_.capacity() * sizeof(std::size_t) + groups_.capacity() * sizeof(group) +
         under_way_.capacity() * sizeof(cursor);
}

}  // namespace jackdaw::sim
