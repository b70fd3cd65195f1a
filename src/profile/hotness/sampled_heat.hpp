#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "profile/hotness/data_area.hpp"
#include "profile/hotness/sample_ring.hpp"

namespace jackdaw::profile {

/// The heat of areas from samples. A sample has its address, so nothing is extrapolated from a few pages as in BATS's
/// Eq. 4: the heat of an area is the number of events that its samples represent.
class sampled_heat {
 public:
  /// The least average number of samples per area. With fewer, hot data looks much like the rest: by chance alone, the
  /// samples of an area with 16 vary by 4. Four sweeps over four pages look as often.
  static constexpr std::uint64_t few_samples = 16;

  /// Adds an area, which must not overlap the others. Areas are numbered in the order of these calls.
  void add(const data_area& area);
  /// Ignores samples that are in no area.
  void see(std::span<const address_sample> samples);
  /// Whether there are areas, and enough samples in them.
  bool tells() const noexcept { return !heat_.empty() && samples_ >= few_samples * heat_.size(); }
  void forget() noexcept;

  std::uint64_t samples() const noexcept { return samples_; }         ///< in areas
  const std::vector<double>& heat() const noexcept { return heat_; }  ///< of each area, in events

 private:
  struct place {
    std::uintptr_t end;
    std::size_t area;
  };
  std::map<std::uintptr_t, place> places_;  // by their beginnings
  std::vector<double> heat_;
  std::uint64_t samples_ = 0;
};

}  // namespace jackdaw::profile
