#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "jackdaw/hotness_source.hpp"
#include "numa/held.hpp"
#include "profile/hotness/access_log.hpp"
#include "profile/hotness/accessed_bits.hpp"
#include "profile/hotness/data_area.hpp"
#include "profile/hotness/page_calls.hpp"
#include "profile/hotness/sampled_heat.hpp"
#include "profile/hotness/thread_samples.hpp"

namespace jackdaw::profile {

/// What has been seen of a program's data.
struct hotness_found {
  hotness_source source = hotness_source::none;
  std::vector<data_area> areas = {};  ///< ascending
  /// Of each: misses; or, by BATS Eq. 4, accessed pages a sweep, added up; or declared lines.
  std::vector<double> heat = {};
  std::uint32_t sweeps = 0;        ///< over the accessed bits
  std::uint64_t samples = 0;       ///< of addresses, in areas
  std::uint64_t lost_samples = 0;  ///< for which there was no room
  double sweep_seconds = 0;        ///< of a processor, that they took
};

/// Finds how often parts of the program's data are accessed: by addresses of misses that the processor samples in all
/// placed containers; by the accessed bits of sampled pages of these where there are no such samples, or too few; by
/// what tasks declare where those bits cannot be read, where much data is in no container, or where there was time for
/// too few sweeps. Bits are watched until there are enough samples, since only the end tells whether there will be. Any
/// thread may call.
class hotness {
 public:
  static constexpr std::uint32_t samples = 4;       ///< pages an area (BATS's b)
  static constexpr std::uint32_t most_areas = 768;  ///< each has up to nine mappings while it is watched
  static constexpr std::uint32_t few_sweeps = 4;    ///< with fewer, what is hot looks much like the rest
  /// Bytes that have accessed bits watched: less data is in caches, and balancing would not be worth its cost.
  static constexpr std::size_t least_data = std::size_t{8} << 20;
  static constexpr std::size_t least_area = std::size_t{1} << 20;  ///< bytes of an area, where bits are watched
  /// Shorter written ranges are in no area, if no container owns them; bytes.
  static constexpr std::size_t least_range = 64 * 1024;

  explicit hotness(page_calls& kernel = linux_pages(), thread_samples samples = thread_samples(),
                   std::uint64_t seed = 1)
      : bits_(kernel), samples_(std::move(samples)), seed_(seed) {}
  ~hotness();
  hotness(const hotness&) = delete;
  hotness& operator=(const hotness&) = delete;

  /// From now on; the data is divided into about so many areas of equal size, at most most_areas. Containers that are
  /// made later count as well.
  void begin(std::uint32_t parts);
  /// What these threads access, by the kernel's numbers, is sampled from now until end(), where that can be had. Takes
  /// some ms the first time, and more stack than tasks should be asked for. Nothing happens when nothing is watched.
  void sample(std::span<const pid_t> threads);
  /// Looks at all sampled pages once, and at the samples since. Nothing happens when nothing is watched.
  void sweep();
  /// Tells what was seen, after one sweep more if there were few; `declared`: since begin().
  hotness_found end(const std::vector<access_log::entry>& declared);

  /// Since begin(), or since much data was added.
  std::uint32_t sweeps() const;

  /// Why accessed bits cannot be had here: the kernel's errno; 0: they can, as far as was tried.
  int refusal() const;

 private:
  void adopt(const numa::held_now& now);
  int watch_pages(const data_area& range, std::size_t first);
  void sweep_held();
  void take_samples(const numa::held_now& now);
  void forget_all(const numa::held_now& now);
  hotness_found by_samples(const std::vector<data_area>& held) const;
  hotness_found by_bits(const std::vector<data_area>& held) const;
  void fill(hotness_found& found, const std::vector<data_area>& held, const std::vector<double>& heat) const;
  hotness_found by_declarations(const std::vector<access_log::entry>& declared, std::vector<data_area> ranges) const;

  mutable std::mutex mutex_;
  accessed_bits bits_;
  thread_samples samples_;
  sampled_heat sampled_;     // of areas_
  bool by_samples_ = false;  // there are enough: bits are not watched any more
  std::uint64_t seed_;
  std::uint32_t parts_ = 1;
  bool watching_ = false;
  int refusal_ = 0;
  std::uint32_t sweeps_ = 0;
  double sweep_seconds_ = 0;
  std::size_t length_ = 0;              // of areas
  std::size_t divided_ = 0;             // bytes of known_ when length_ was chosen
  std::vector<data_area> known_;        // ranges that have areas
  std::vector<data_area> areas_;        // in the order in which they were found
  std::vector<std::uint32_t> watched_;  // pages of each
};

/// Whether accessed bits can be read here, tried on a page of its own: 0 or an errno.
int survey_accessed_bits(page_calls& kernel = linux_pages());

}  // namespace jackdaw::profile
