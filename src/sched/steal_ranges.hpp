#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sched/range_node.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

/// The tree of steal ranges (ADWS 4.3.1): for every group that a search has met, the workers that its tasks went to,
/// the range around it, and whether workers may steal within it.
///
/// Any worker may read a node at any time, even after its group has ended and while the node is reused for another
/// group. So a name consists of a node's place and a version; every read says whether the version was still valid.
/// Memory is freed only with the tree. src/sched/README-steal-ranges.md.
class steal_ranges {
 public:
  /// A node's place in the upper half, its version in the lower. 0 names nothing.
  using ref = std::uint64_t;

  /// Free places for the ranges that one worker opens next, so that workers seldom meet at the tree's lock. Only that
  /// worker uses them, or workers one after another under a lock of theirs.
  class places {
    friend class steal_ranges;
    static constexpr std::uint32_t most = 32;
    std::uint32_t count_ = 0;
    std::array<std::uint32_t, most> free_{};
  };

  steal_ranges() = default;
  steal_ranges(const steal_ranges&) = delete;
  steal_ranges& operator=(const steal_ranges&) = delete;

  /// Opens a new, inactive range inside `parent` (0: a root), at one of these places.
  ref open(places& from, ref parent, worker_range workers);
  /// The group has ended: all names of this node are stale from now on. Its place goes to `to`, which need not be where
  /// it came from.
  void close(places& to, ref range) noexcept;

  void activate(ref range) noexcept;
  /// False also for a closed range.
  bool active(ref range) const noexcept;
  bool alive(ref range) const noexcept;

  /// Reads the arguments with which a live range was opened. False: it is closed, and nothing was written.
  bool read(ref range, ref& parent, worker_range& workers) const noexcept;

 private:
  using node = basic_range_node<detail::hardware>;
  static constexpr std::uint32_t per_chunk = 256;
  static constexpr std::uint32_t chunks = 1024;

  static constexpr std::uint32_t version_of(ref range) noexcept { return static_cast<std::uint32_t>(range); }
  node& at(ref range) const noexcept {
    const auto place = static_cast<std::uint32_t>(range >> 32);
    return chunks_[place / per_chunk].load(std::memory_order_acquire)[place % per_chunk];
  }

  void fetch(places& to);
  void give_back(places& from) noexcept;
  void grow();

  std::mutex mutex_;                 // guards what follows
  std::vector<std::uint32_t> free_;  // places that are in nobody's `places`
  std::vector<std::unique_ptr<node[]>> owned_;
  mutable std::atomic<node*> chunks_[chunks] = {};
};

}  // namespace jackdaw::sched
