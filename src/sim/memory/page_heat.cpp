#include "sim/memory/page_heat.hpp"

#include <algorithm>
#include <random>

namespace jackdaw::sim {

void page_heat::begin(std::uint64_t pages, std::uint32_t parts, std::uint64_t seed, hotness source) {
  source_ = source;
  looks_ = 0;
  per_area_ = std::max<std::uint64_t>(1, (pages + parts - 1) / parts);
  slots_.assign(pages, 0);
  pages_.assign(1, {});
  declared_.assign((pages + per_area_ - 1) / per_area_, 0);
  std::mt19937_64 draw(seed);
  for (std::uint64_t first = 0; first < pages; first += per_area_) {
    const std::uint64_t end = std::min(pages, first + per_area_);
    // A page is taken if a number drawn below the count of pages left is below the count of those still wanted (Knuth's
    // algorithm S). So no page is drawn twice.
    std::uint64_t wanted = std::min(sample, end - first);
    for (std::uint64_t page = first; page < end && wanted > 0; ++page) {
      if (draw() % (end - page) >= wanted) continue;
      --wanted;
      slots_[page] = static_cast<std::uint32_t>(pages_.size());
      pages_.emplace_back();
    }
  }
}

std::vector<page_heat::area> page_heat::end(double now) {
  at(now);
  if (looks_ < few_looks) ++looks_;
  const bool by_sample = source_ == hotness::address_samples || looks_ >= few_looks;
  std::vector<area> found;
  std::size_t slot = 1;
  for (std::uint64_t first = 0; first < slots_.size(); first += per_area_) {
    const std::uint64_t pages = std::min<std::uint64_t>(slots_.size() - first, per_area_);
    const std::uint64_t sampled = std::min(sample, pages);
    double sum = 0;
    for (std::uint64_t i = 0; i < sampled; ++i) {
      const watched_page& each = pages_[slot++];
      // No look finds what was accessed after the last one.
      const bool missed = source_ == hotness::accessed_bits && each.due > looks_;
      sum += static_cast<double>(each.seen - (missed ? 1 : 0));
    }
    const double all = sum * static_cast<double>(pages) / static_cast<double>(sampled);
    found.push_back({first, pages, by_sample ? all : static_cast<double>(declared_[first / per_area_])});
  }
  slots_.clear();
  pages_.clear();
  declared_.clear();
  return found;
}

}  // namespace jackdaw::sim
