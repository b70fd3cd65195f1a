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
  auto other = known.begin();
  for (const data_area& each : joined) {
    std::uintptr_t from = each.begin;
    for (; other != known.end() && other->begin < each.end; ++other) {
      if (other->end <= from) continue;
      keep(from, other->begin);
      from = other->end;
      if (from > each.end) break;  // it may reach into the next one
    }
    keep(from, each.end);
  }
  return found;
}

std::vector<double> declared_heat(const std::vector<access_log::entry>& declared, const std::vector<data_area>& areas) {
  std::vector<double> heat(areas.size(), 0);
  // An access to a whole array takes as long as one to a part of it: between its first and its last area, which it may
  // cover in part, only the changes of these sums are noted.
  struct covered {
    double lines = 0;  // a byte
    int accesses = 0;
  };
  std::vector<covered> change(areas.size() + 1);
  for (const access_log::entry& each : declared) {
    const auto begins =
        std::partition_point(areas.begin(), areas.end(), [&](const data_area& area) { return area.end <= each.begin; });
    const auto ends =
        std::partition_point(begins, areas.end(), [&](const data_area& area) { return area.begin < each.end; });
    if (begins == ends) continue;
    const auto first = static_cast<std::size_t>(begins - areas.begin());
    const auto last = static_cast<std::size_t>(ends - areas.begin()) - 1;
    const double bytes = static_cast<double>(each.end - each.begin);
    const auto add_to = [&](std::size_t i) {
      const std::uintptr_t common = std::min(areas[i].end, each.end) - std::max(areas[i].begin, each.begin);
      heat[i] += each.lines * static_cast<double>(common) / bytes;
    };
    add_to(first);
    if (last > first) add_to(last);
    if (last <= first + 1) continue;
    const double density = each.lines / bytes;
    change[first + 1].lines += density;
    ++change[first + 1].accesses;
    change[last].lines -= density;
    --change[last].accesses;
  }
  covered now;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    now.lines += change[i].lines;
    now.accesses += change[i].accesses;
    if (now.accesses == 0) now.lines = 0;  // no rounding error makes an area warm that nobody accessed
    heat[i] += std::max(now.lines, 0.0) * static_cast<double>(areas[i].bytes());
  }
  return heat;
}

}  // namespace jackdaw::profile
