#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "profile/hotness/data_area.hpp"
#include "profile/hotness/sample_ring.hpp"

namespace jackdaw::profile {

/// What samples tell of areas. A sample says where it was, so that nothing has to be extrapolated from a few pages as
/// in BATS's Eq. 4: the heat of an area is the number of events that the samples in it stand for.
class sampled_heat {
 public:
  /// With fewer samples than so many for each area, on average, what is hot looks much like the rest: by chance alone,
  /// the samples of an area with 16 vary by 4. It is as often as four sweeps look at four pages.
  static constexpr std::uint64_t few_samples = 16;

  /// Another area, which has nothing in common with the others. Areas are numbered as they come.
  void add(const data_area& area);
  /// Samples that are in no area count for nothing.
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
  std::map<std::uintptr_t, place> places_;  // by where they begin
  std::vector<double> heat_;
  std::uint64_t samples_ = 0;
};

}  // namespace jackdaw::profile
