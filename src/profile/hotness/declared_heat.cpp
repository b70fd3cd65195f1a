#include "profile/hotness/declared_heat.hpp"

#include <algorithm>

namespace jackdaw::profile {

std::vector<data_area> written_elsewhere(const std::vector<access_log::entry>& declared,
                                         const std::vector<data_area>& known, std::size_t page, std::size_t least) {
  std::vector<data_area> written;
  for (const access_log::entry& each : declared) {
    if (each.write) written.push_back({each.begin / page * page, (each.end + page - 1) / page * page, page});
  }
  std::sort(written.begin(), written.end(), [](const data_area& a, const data_area& b) { return a.begin < b.begin; });
  std::vector<data_area> joined;
  for (const data_area& each : written) {
    if (!joined.empty() && each.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, each.end);
    } else {
      joined.push_back(each);
    }
  }
  std::vector<data_area> found;
  const auto keep = [&](std::uintptr_t begin, std::uintptr_t end) {
    if (end > begin && end - begin >= least) found.push_back({begin, end, page});
  };
  for (const data_area& each : joined) {
    std::uintptr_t from = each.begin;
    for (const data_area& other : known) {
      if (other.end <= from || other.begin >= each.end) continue;
      keep(from, other.begin);
      from = other.end;
    }
    keep(from, each.end);
  }
  return found;
}

std::vector<double> declared_heat(const std::vector<access_log::entry>& declared, const std::vector<data_area>& areas) {
  std::vector<double> heat(areas.size(), 0);
  for (const access_log::entry& each : declared) {
    const auto first =
        std::partition_point(areas.begin(), areas.end(), [&](const data_area& area) { return area.end <= each.begin; });
    for (auto area = first; area != areas.end() && area->begin < each.end; ++area) {
      const std::uintptr_t common = std::min(area->end, each.end) - std::max(area->begin, each.begin);
      heat[static_cast<std::size_t>(area - areas.begin())] +=
          each.lines * static_cast<double>(common) / static_cast<double>(each.end - each.begin);
    }
  }
  return heat;
}

}  // namespace jackdaw::profile
