#include "kernels/common/scattered_reads.hpp"

#include <algorithm>

namespace jackdaw::kernels {

scattered_reads::scattered_reads(std::span<const vertex> indices, std::size_t per_line) {
  std::vector<std::size_t> lines(indices.size());
  std::ranges::transform(indices, lines.begin(), [=](vertex i) { return i / per_line; });
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());

  const std::size_t count = std::min(most_groups, lines.size());
  groups_.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    const std::size_t begin = lines.size() * i / count, end = lines.size() * (i + 1) / count;
    const std::size_t first = lines[begin] * per_line, last = lines[end - 1] * per_line, size = end - begin;
    // Not rounded to whole lines; otherwise a group's lines would shrink to its first half when nearly every second one
    // is read. At least one line, so that each read is of a different line.
    groups_.push_back({first, size, size == 1 ? per_line : (last - first) / (size - 1)});
  }
}

}  // namespace jackdaw::kernels
