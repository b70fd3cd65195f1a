#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "sched/task_runner.hpp"

namespace jackdaw::sched {

/// For how long idle workers keep to their steal ranges while tasks may wait elsewhere.
///
/// ADWS keeps them in their ranges for as long as those last, so that the next iteration finds its data where this one
/// had them. That is worth little if a range has no work for long: a worker leaves its range when it has been idle for
/// a fiftieth of the iteration, so far or as long as the region's last one took, and for `shortest` at least. A worker
/// that has had no work yet in a region's first iteration waits for `first` at least: its part may be on its way,
/// through workers that are being woken, and what it takes instead it touches first, on the wrong node for good.
class confinement {
 public:
  static constexpr double shortest = 50'000, first = 250'000;  // ns
  static constexpr double part = 0.02;

  void start(std::uint32_t workers) { seats_ = std::make_unique<seat[]>(workers); }
  /// An iteration begins, of a region whose last one took so many ns; 0: it is the first. Called between iterations.
  void begin(double now, double last) noexcept {
    // Relaxed, as all here: a worker that reads old values leaves a little sooner or later.
    began_.store(now, std::memory_order_relaxed);
    last_.store(last, std::memory_order_relaxed);
    was_left_.store(false, std::memory_order_relaxed);
    number_.fetch_add(1, std::memory_order_relaxed);
  }
  /// `self` has looked into its range, in vain. Returns whether it may leave it.
  bool is_over(worker_id self, double now) noexcept {
    seat& mine = seats_[self];
    const std::uint32_t number = number_.load(std::memory_order_relaxed);
    if (mine.number != number) {
      mine = {.since = now, .number = number, .idle = true, .worked = false};
      return false;
    }
    if (!mine.idle) {
      mine.since = now;
      mine.idle = true;
      return false;
    }
    const double last = last_.load(std::memory_order_relaxed);
    const double iteration = std::max(last, now - began_.load(std::memory_order_relaxed));
    return now - mine.since > std::max(mine.worked || last != 0 ? shortest : first, part * iteration);
  }
  /// A worker has found something outside of its range.
  void leave() noexcept {
    if (!was_left_.load(std::memory_order_relaxed)) was_left_.store(true, std::memory_order_relaxed);
  }
  /// Whether one has in this iteration.
  bool was_left() const noexcept { return was_left_.load(std::memory_order_relaxed); }
  /// `self` has something to do.
  void found(worker_id self) noexcept {
    seat& mine = seats_[self];
    mine = {.since = mine.since, .number = number_.load(std::memory_order_relaxed), .idle = false, .worked = true};
  }

 private:
  struct alignas(64) seat {
    double since = 0;          // ns; when it began to look in this iteration
    std::uint32_t number = 0;  // of the iteration
    bool idle = false;
    bool worked = false;  // in this iteration
  };
  std::unique_ptr<seat[]> seats_;  // by worker
  std::atomic<double> began_{0};   // ns; the iteration
  std::atomic<double> last_{0};    // ns
  std::atomic<bool> was_left_{false};
  std::atomic<std::uint32_t> number_{0};  // of iterations
};

}  // namespace jackdaw::sched
