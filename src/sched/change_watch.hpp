#pragma once

#include <algorithm>

namespace jackdaw::sched {

/// Notices when iterations change their time for good: eight in a row take more than 1.25 times the longest of the
/// first four, or less than half of the shortest.
class change_watch {
 public:
  change_watch() = default;
  /// For iterations whose usual time is known already; replaces the first four. In ns.
  explicit change_watch(double usual) noexcept : known_(to_know), shortest_(usual), longest_(usual) {}

  /// Returns whether the times have changed for good, and then starts again. `took`: ns of the iteration that has
  /// ended.
  bool changed(double took) noexcept {
    if (known_ < to_know) {
      shortest_ = known_ == 0 ? took : std::min(shortest_, took);
      longest_ = std::max(longest_, took);
      ++known_;
      return false;
    }
    off_ = took > slower * longest_ || took < faster * shortest_ ? off_ + 1 : 0;
    if (off_ < for_good) return false;
    *this = {};
    return true;
  }

 private:
  static constexpr unsigned to_know = 4, for_good = 8;
  static constexpr double slower = 1.25, faster = 0.5;
  unsigned known_ = 0;
  unsigned off_ = 0;
  double shortest_ = 0, longest_ = 0;
};

}  // namespace jackdaw::sched
