#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace jackdaw::sched {

/// A task's part of the computation: leaves are numbered in serial order and stretched over [0, one). Half open, exact
/// and ordered. A span may be empty (a task with no work), and a child may have all of its parent's.
struct span {
  static constexpr std::uint64_t one = std::uint64_t{1} << 50;  // times 4096 workers still fits 64 bits

  std::uint64_t begin = 0;
  std::uint64_t end = one;

  constexpr std::uint64_t length() const noexcept { return end - begin; }
  friend constexpr bool operator==(const span&, const span&) = default;

  /// Cuts off the first `share` and returns it; the rest stays here. `share` is 0 to 1; anything else is clamped, and
  /// not-a-number counts as 0.
  span split(double share) noexcept {
    std::uint64_t cut = 0;
    if (share >= 1.0) {
      cut = length();
    } else if (share > 0.0) {
      cut = std::min(length(), static_cast<std::uint64_t>(std::llround(share * static_cast<double>(length()))));
    }
    const span first{begin, begin + cut};
    begin = first.end;
    return first;
  }
};

/// Workers first to last, both inclusive.
struct worker_range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  constexpr bool contains(std::uint32_t worker) const noexcept { return first <= worker && worker <= last; }
  friend constexpr bool operator==(const worker_range&, const worker_range&) = default;
};

/// Maps a span to workers (ADWS 4.2.1): from right to left over workers 0 to count - 1, so that the leaves that come
/// first in serial order belong to the worker with the highest index. `first` of the result is the span's owner. A
/// boundary within 2^-20 of a worker's edge counts as that edge: hints are doubles, and 1/3 of 3 workers means one
/// worker.
constexpr worker_range workers_of(const span& part, std::uint32_t count) noexcept {
  constexpr std::uint64_t one = span::one;
  constexpr std::uint64_t slack = one >> 20;
  const std::uint64_t right = (one - part.end) * count;
  const std::uint64_t left = (one - part.begin) * count;
  const auto first = static_cast<std::uint32_t>((right + slack) / one);
  const auto end = static_cast<std::uint32_t>((left + one - 1 - std::min(slack, left)) / one);
  const std::uint32_t owner = std::min(first, count - 1);
  return {owner, std::max(owner, end == 0 ? 0 : end - 1)};
}

}  // namespace jackdaw::sched
