#pragma once

#include <atomic>
#include <cstdint>

#include "base/happens_before.hpp"
#include "sched/scheduler.hpp"

namespace jackdaw::sched {

/// A group that a root opens outside any other group is an iteration of the region that its site names.
inline bool begins_iteration(const upper_group& group) noexcept {
  return group.task.parent == nullptr && group.around == nullptr;
}
/// An iteration ends with the last of its root's open groups, which need not be the one that began it: until then its
/// tasks fork.
inline bool ends_iteration(const upper_group& closed) noexcept {
  return begins_iteration(closed) && closed.task.group == &closed;
}

/// The one root that is in the upper tier, for schedulers that lay out one root at a time. Any other root is plain: any
/// worker may start it, and while it is under way no worker leaves work to others for long.
class upper_root {
 public:
  /// Whether this root is in the upper tier from now on.
  bool claim(const task_runner& on, const upper_task& root) noexcept {
    const upper_task* none = nullptr;
    if (!on.crowded(has_plain()) &&
        root_.compare_exchange_strong(none, &root, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      detail::acquires(&root_);
      return true;
    }
    plain_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  /// A root of either kind has ended. Plain roots read another root's address or null; a root reads its own address
  /// only after a claim.
  void leave(const upper_task& root) noexcept {
    if (root_.load(std::memory_order_relaxed) == &root) {
      detail::releases(&root_);
      root_.store(nullptr, std::memory_order_release);
    } else {
      plain_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  bool has_plain() const noexcept { return plain_.load(std::memory_order_relaxed) > 0; }
  static destination plain() noexcept { return {.where = destination::how::anyone, .as = tier::lower}; }

 private:
  std::atomic<const upper_task*> root_{nullptr};
  std::atomic<std::uint32_t> plain_{0};
};

}  // namespace jackdaw::sched
