#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "sched/span.hpp"

namespace jackdaw::sched {

/// A place for one steal range after another. Each use has a version, odd while it is open, by which readers tell
/// whether a range is still theirs. open() and close() follow one another; everything else is called at any time, also
/// while the place is being reused. Why, and the argument for every memory order: src/sched/README-steal-ranges.md.
template <class P>
class alignas(64) basic_range_node {
 public:
  using version = std::uint32_t;

  version open(std::uint64_t parent, worker_range workers) noexcept {
    // Release: a worker that reads one of these also sees that the last version was closed before.
    parent_.store(parent, std::memory_order_release);
    workers_.store(static_cast<std::uint64_t>(workers.first) << 32 | workers.last, std::memory_order_release);
    const auto made = static_cast<version>((state_.load(std::memory_order_relaxed) >> 1) + 1);
    // Release: a worker that sees the version sees the fields.
    state_.store(idle(made), std::memory_order_release);
    return made;
  }

  void close(version of) noexcept { state_.store(idle(of + 1), std::memory_order_release); }

  void activate(version of) noexcept {
    std::uint64_t expected = idle(of);
    // Fails if it is already active, or closed; either is fine. Relaxed: this is part of the release sequence of
    // open(), so a worker that reads the result acquires from open().
    state_.compare_exchange_strong(expected, expected | 1, std::memory_order_relaxed, std::memory_order_relaxed);
  }

  bool active(version of) const noexcept { return state_.load(std::memory_order_relaxed) == (idle(of) | 1); }
  bool alive(version of) const noexcept { return state_.load(std::memory_order_relaxed) >> 1 == of; }

  /// Reads the arguments with which this version was opened. False: it is closed, and nothing was written.
  bool read(version of, std::uint64_t& parent, worker_range& workers) const noexcept {
    // Acquire: the fields of this version or of a later one.
    if (state_.load(std::memory_order_acquire) >> 1 != of) {
      return false;
    }
    const std::uint64_t found_parent = parent_.load(std::memory_order_acquire);
    const std::uint64_t found_workers = workers_.load(std::memory_order_acquire);
    // If a field was a later version's, its acquire makes the close() of this version visible here.
    if (!alive(of)) {
      return false;
    }
    parent = found_parent;
    workers = {static_cast<std::uint32_t>(found_workers >> 32), static_cast<std::uint32_t>(found_workers)};
    return true;
  }

 private:
  static constexpr std::uint64_t idle(version of) noexcept { return static_cast<std::uint64_t>(of) << 1; }

  typename P::template atomic<std::uint64_t> state_{0};  // version << 1 | active
  typename P::template atomic<std::uint64_t> parent_{0};
  typename P::template atomic<std::uint64_t> workers_{0};  // first << 32 | last
};

}  // namespace jackdaw::sched
