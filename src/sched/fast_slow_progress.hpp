#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace jackdaw::sched {

/// A squad's progress with its subtrees of a slow memory node and with those of a fast one. If the same part of both
/// has been started at all times, both nodes are busy until the end, however long a subtree of either takes: more of
/// the longer ones are under way.
///
/// Counts are hints, and relaxed: a worker that reads old ones takes the other kind once, and nothing is lost.
class fast_slow_progress {
 public:
  /// Starts again from zero. No other call may run meanwhile.
  void restart() noexcept {
    for (auto* const each : {&placed_, &started_}) {
      for (auto& kind : *each) kind.store(0, std::memory_order_relaxed);
    }
  }
  void place(bool slow) noexcept { placed_[slow ? 1 : 0].fetch_add(1, std::memory_order_relaxed); }
  void start(bool slow) noexcept { started_[slow ? 1 : 0].fetch_add(1, std::memory_order_relaxed); }

  /// Positive: a smaller part of the slow node's has been started than of the fast one's; 0: the same part.
  std::int64_t slow_lags() const noexcept {
    const auto product = [this](std::size_t started, std::size_t placed) {
      return static_cast<std::int64_t>(started_[started].load(std::memory_order_relaxed)) *
             placed_[placed].load(std::memory_order_relaxed);
    };
    return product(0, 1) - product(1, 0);
  }

 private:
  std::array<std::atomic<std::uint32_t>, 2> placed_{}, started_{};  // fast, slow
};

}  // namespace jackdaw::sched
