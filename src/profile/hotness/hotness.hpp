#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "jackdaw/hotness_source.hpp"
#include "numa/numa_kernel.hpp"
#include "numa/placed_registry.hpp"
#include "profile/hotness/access_log.hpp"
#include "profile/hotness/accessed_bits.hpp"
#include "profile/hotness/data_area.hpp"
#include "profile/hotness/page_calls.hpp"
#include "profile/hotness/sampled_heat.hpp"
#include "profile/hotness/thread_samples.hpp"

namespace jackdaw::profile {

/// What was seen of a program's data.
struct hotness_found {
  hotness_source source = hotness_source::none;
  std::vector<data_area> areas = {};  ///< ascending
  /// Per area: misses; or accessed pages per sweep, added up by BATS Eq. 4; or declared lines.
  std::vector<double> heat = {};
  std::uint32_t sweeps = 0;        ///< over the accessed bits
  std::uint64_t samples = 0;       ///< of addresses, in areas
  std::uint64_t lost_samples = 0;  ///< for lack of room in a buffer
  double sweep_seconds = 0;        ///< processor time of the sweeps
};

/// Finds how often parts of the program's data are accessed. It uses addresses of misses in placed containers that the
/// processor samples; if there are none, or too few, the accessed bits of sampled pages of the containers; and if those
/// bits cannot be read, if much data is in no container, or if there was time for too few sweeps, the tasks' declared
/// accesses. Bits are watched until there are enough samples, because only the end shows whether there will be enough.
/// Any thread may call.
class hotness {
 public:
  static constexpr std::uint32_t samples = 4;       ///< pages per area (BATS's b)
  static constexpr std::uint32_t most_areas = 768;  ///< each has up to nine mappings while it is watched
  static constexpr std::uint32_t few_sweeps = 4;    ///< with fewer, hot data looks much like the rest
  /// The least bytes of data whose accessed bits are watched. Less data lies in caches, and balancing it is not worth
  /// its cost.
  static constexpr std::size_t least_data = std::size_t{8} << 20;
  static constexpr std::size_t least_area = std::size_t{1} << 20;  ///< bytes of an area when bits are watched
  /// In bytes. Shorter written ranges that no container owns are in no area.
  static constexpr std::size_t least_range = 64 * 1024;

  explicit hotness(page_calls& kernel = linux_pages(), thread_samples samples = thread_samples(),
                   std::uint64_t seed = 1)
      : bits_(kernel), samples_(std::move(samples)), seed_(seed) {}
  ~hotness();
  hotness(const hotness&) = delete;
  hotness& operator=(const hotness&) = delete;

  /// Data is also what no container holds: all anonymous memory of the process that has pages when begin() is called,
  /// but for jackdaw's own. Called before begin().
  void see_all_memory(numa::numa_kernel& kernel) noexcept { all_of_ = &kernel; }

  /// Starts watching. The data is divided into about `parts` areas of equal size, at most most_areas. Containers that
  /// are made later count as well.
  void begin(std::uint32_t parts);
  /// Samples the accesses of these threads, given by kernel thread ids, from now until end(), if the computer supports
  /// that. Takes some ms the first time, and more stack than a task should need. Does nothing when nothing is watched.
  void sample(std::span<const pid_t> threads);
  /// Looks once at all sampled pages and at the samples since the last look. Does nothing when nothing is watched.
  void sweep();
  /// Reports what was seen, after one more sweep if there were few; `declared`: accesses since begin().
  hotness_found end(const std::vector<access_log::entry>& declared);

  /// Since begin(), or since much data was added.
  std::uint32_t sweeps() const;

  /// The kernel's errno if accessed bits cannot be used here; 0: they can, as far as was tried.
  int refusal() const;

 private:
  void adopt(const numa::held_now& now);
  void find_others();
  std::vector<data_area> data_of(const numa::held_now& now) const;
  auto is_in(const numa::held_now& now) const;
  int watch_pages(const data_area& range, std::size_t first);
  void sweep_held();
  void take_samples(const numa::held_now& now);
  void forget_all(const numa::held_now& now);
  hotness_found by_samples(const std::vector<data_area>& held) const;
  hotness_found by_bits(const std::vector<data_area>& held) const;
  void fill(hotness_found& found, const std::vector<data_area>& held, const std::vector<double>& heat) const;
  hotness_found by_declarations(const std::vector<access_log::entry>& declared, std::vector<data_area> ranges) const;

  mutable std::mutex mutex_;
  numa::numa_kernel* all_of_ = nullptr;  // null: only containers are seen
  std::vector<data_area> others_;        // in no container when begin() was called; ascending
  accessed_bits bits_;
  thread_samples samples_;
  sampled_heat sampled_;     // of areas_
  bool by_samples_ = false;  // there are enough samples: bits are no longer watched
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

/// Returns the data that containers hold and that `declared` writes elsewhere, but for those of which the program has
/// said on which nodes they are, divided into about `parts` >= 1 areas of equal size, at most hotness::most_areas.
/// Ascending.
std::vector<data_area> declared_areas(const std::vector<access_log::entry>& declared, std::uint32_t parts);

/// Tries on a page of its own whether accessed bits can be read here: 0 or an errno.
int survey_accessed_bits(page_calls& kernel = linux_pages());

}  // namespace jackdaw::profile
