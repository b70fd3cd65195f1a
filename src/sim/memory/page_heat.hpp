#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// What a simulated kernel shows of accesses.
enum class hotness : std::uint8_t {
  accessed_bits,    ///< whether a page was accessed since the last look; of a watch with few looks what tasks declare
  address_samples,  ///< how many lines caches fetched from it
};

/// Estimates how often the pages of equal areas are accessed, from a sample of each area's pages (BATS 6.1, Eq. 4).
/// Looks take place at equal times. Accesses are those between `at` and the next `at`.
class page_heat {
 public:
  /// Pages [first, first + count), and how often all of them together were accessed, estimated from the sample.
  struct area {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    double heat = 0;
  };
  /// Pages sampled of each area: BATS's b.
  static constexpr std::uint64_t sample = 4;
  /// With fewer looks hot pages look like the rest. As on threads (profile::hotness), declared accesses count then.
  static constexpr std::uint64_t few_looks = 4;

  /// Divides `pages` pages into at most `parts` >= 1 areas, draws a sample of each and begins to watch. The same seed
  /// gives the same sample.
  void begin(std::uint64_t pages, std::uint32_t parts, std::uint64_t seed, hotness source);
  /// Sets the time between two looks, > 0, and the time of the beginning, in ns.
  void look_every(double period, double now) noexcept {
    period_ = period;
    since_ = now;
  }
  /// What is accessed from now on is accessed at this time.
  void at(double now) noexcept { looks_ = static_cast<std::uint64_t>((now - since_) / period_); }
  /// Lines of a page are accessed, and some of them fetched from memory. Requires that something is watched.
  void access(std::uint64_t page, std::uint64_t lines, std::uint64_t fetched) noexcept {
    const std::uint32_t slot = slots_[page];
    if (source_ == hotness::address_samples) {
      if (slot != 0) pages_[slot].seen += fetched;
      return;
    }
    declared_[page / per_area_] += lines;
    if (slot == 0 || pages_[slot].due == looks_ + 1) return;
    pages_[slot].due = looks_ + 1;
    ++pages_[slot].seen;
  }
  bool watching() const noexcept { return !slots_.empty(); }
  /// Returns the number of sampled pages; 0 if nothing is watched.
  std::uint64_t sampled() const noexcept { return pages_.empty() ? 0 : pages_.size() - 1; }
  /// Ends watching, after one more look if there were few. Returns all areas, in the order of pages. The heat of a page
  /// is the number of lines fetched from it, of looks that found it accessed, or of lines accessed.
  std::vector<area> end(double now);

 private:
  struct watched_page {
    std::uint64_t seen = 0;
    std::uint64_t due = 0;  ///< the look that finds its last access; the first one is 1
  };

  hotness source_ = hotness::accessed_bits;
  std::uint64_t per_area_ = 1;
  double period_ = 1;
  double since_ = 0;
  std::uint64_t looks_ = 0;
  std::vector<std::uint32_t> slots_;     ///< by page: its index in pages_, or 0; empty: nothing is watched
  std::vector<watched_page> pages_;      ///< that are sampled, in their order; the first is unused
  std::vector<std::uint64_t> declared_;  ///< by area: lines
};

}  // namespace jackdaw::sim
