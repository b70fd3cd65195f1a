#include "sim/memory/page_heat.hpp"

#include <algorithm>
#include <random>

namespace jackdaw::sim {

void page_heat::begin(std::uint64_t pages, std::uint32_t parts, std::uint64_t seed) {
  per_area_ = std::max<std::uint64_t>(1, (pages + parts - 1) / parts);
  slots_.assign(pages, 0);
  counts_.assign(1, 0);
  std::mt19937_64 draw(seed);
  for (std::uint64_t first = 0; first < pages; first += per_area_) {
    const std::uint64_t end = std::min(pages, first + per_area_);
    // A page is taken if a number drawn below the count of pages left is below the count of those still wanted (Knuth's
    // algorithm S). So no page is drawn twice.
    std::uint64_t wanted = std::min(sample, end - first);
    for (std::uint64_t page = first; page < end && wanted > 0; ++page) {
      if (draw() % (end - page) >= wanted) continue;
      --wanted;
      slots_[page] = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back(0);
    }
  }
}

std::vector<page_heat::area> page_heat::end() {
  std::vector<area> found;
  std::size_t slot = 1;
  for (std::uint64_t first = 0; first < slots_.size(); first += per_area_) {
    const std::uint64_t pages = std::min<std::uint64_t>(slots_.size() - first, per_area_);
    const std::uint64_t sampled = std::min(sample, pages);
    double sum = 0;
    for (std::uint64_t i = 0; i < sampled; ++i) sum += static_cast<double>(counts_[slot++]);
    found.push_back({first, pages, sum * static_cast<double>(pages) / static_cast<double>(sampled)});
  }
  slots_.clear();
  counts_.clear();
  return found;
}

}  // namespace jackdaw::sim
