#pragma once

#include <cstdint>
#include <map>

namespace jackdaw::sched {

/// A scheduler's knowledge of a program's regions, each found by the site that opens its groups, and the region whose
/// iteration is under way. Only the one root of the upper tier changes it, between iterations; the tasks of an
/// iteration read current().
template <class Region>
class region_map {
 public:
  /// Begins an iteration of the region at this site. Throws std::bad_alloc.
  Region& enter(std::uint64_t site) { return *(current_ = &regions_[site]); }
  /// Returns the last region that was entered; null before the first.
  Region* current() const noexcept { return current_; }

  /// Calls f(region) for each region.
  template <class F>
  void for_each(F&& f) {
    for (auto& [site, each] : regions_) f(each);
  }

 private:
  std::map<std::uint64_t, Region> regions_;
  Region* current_ = nullptr;
};

}  // namespace jackdaw::sched
