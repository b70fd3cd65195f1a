#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace jackdaw::sim {

/// Counts which sockets' cores access the pages of equal areas, as tasks declare it.
class page_users {
 public:
  /// Pages [first, first + count), and the lines that each socket's cores accessed.
  struct area {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> lines;  ///< by socket
  };

  /// Divides `pages` pages into at most `parts` >= 1 areas and begins to count.
  void begin(std::uint64_t pages, std::uint32_t parts, unsigned sockets) {
    per_area_ = std::max<std::uint64_t>(1, (pages + parts - 1) / parts);
    areas_.clear();
    for (std::uint64_t first = 0; first < pages; first += per_area_) {
      areas_.push_back({first, std::min(per_area_, pages - first), std::vector<std::uint64_t>(sockets)});
    }
  }
  void access(std::uint64_t page, std::uint64_t lines, unsigned socket) noexcept {
    areas_[page / per_area_].lines[socket] += lines;
  }
  bool counting() const noexcept { return !areas_.empty(); }
  /// Ends counting. Returns all areas, in the order of pages.
  std::vector<area> end() noexcept { return std::exchange(areas_, {}); }

 private:
  std::uint64_t per_area_ = 1;
  std::vector<area> areas_;  // empty: nothing is counted
};

}  // namespace jackdaw::sim
