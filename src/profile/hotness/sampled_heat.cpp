#include "profile/hotness/sampled_heat.hpp"

namespace jackdaw::profile {

void sampled_heat::add(const data_area& area) {
  places_.insert_or_assign(area.begin, place{area.end, heat_.size()});
  heat_.push_back(0);
}

void sampled_heat::see(std::span<const address_sample> samples) {
  for (const address_sample& each : samples) {
    const auto beyond = places_.upper_bound(each.address);
    if (beyond == places_.begin()) continue;
    const place& at = std::prev(beyond)->second;
    if (each.address >= at.end) continue;
    heat_[at.area] += static_cast<double>(each.period);
    ++samples_;
  }
}

void sampled_heat::forget() noexcept {
  places_.clear();
  heat_.clear();
  samples_ = 0;
}

}  // namespace jackdaw::profile
