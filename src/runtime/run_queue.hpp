#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "jackdaw/detail/queued.hpp"
#include "sched/task_runner.hpp"

namespace jackdaw::detail {

/// Work for the next idle worker, first come, first served: roots that no scheduler has placed, and the rests of tasks
/// that gave way to another root or waited for another runtime. README-roots.md.
class run_queue {
 public:
  void put(queued& place, sched::item what, std::int64_t now) noexcept {
    const std::lock_guard hold(mutex_);
    place.next = nullptr;
    place.since = now;
    place.handle = what.handle();
    if (last_ == nullptr) {
      first_ = &place;
      oldest_.store(now, std::memory_order_relaxed);
    } else {
      last_->next = &place;
    }
    last_ = &place;
    // Sequentially consistent: the caller then looks for sleepers, and a worker that lies down looks at this after it
    // has set its bit.
    waiting_.fetch_add(1, std::memory_order_seq_cst);
  }

  sched::item take() noexcept {
    if (waiting_.load(std::memory_order_relaxed) == 0) {
      return {};
    }
    const std::lock_guard hold(mutex_);
    if (first_ == nullptr) {
      return {};
    }
    const sched::item found(first_->handle);
    first_ = first_->next;
    if (first_ == nullptr) {
      last_ = nullptr;
    } else {
      oldest_.store(first_->since, std::memory_order_relaxed);
    }
    // A count that is too high only makes a worker look in vain.
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    return found;
  }

  /// Takes that entry out. False: it is not there any more.
  bool remove(queued& place) noexcept {
    const std::lock_guard hold(mutex_);
    for (queued *before = nullptr, *each = first_; each != nullptr; before = each, each = each->next) {
      if (each != &place) continue;
      (before != nullptr ? before->next : first_) = each->next;
      if (last_ == each) {
        last_ = before;
      }
      if (first_ != nullptr) {
        oldest_.store(first_->since, std::memory_order_relaxed);
      }
      waiting_.fetch_sub(1, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  std::int64_t waiting() const noexcept { return waiting_.load(std::memory_order_seq_cst); }
  /// Whether the first entry has been in the queue since before `then`; a hint.
  bool waits_since(std::int64_t then) const noexcept {
    return waiting_.load(std::memory_order_relaxed) > 0 && oldest_.load(std::memory_order_relaxed) < then;
  }

 private:
  std::mutex mutex_;
  queued* first_ = nullptr;
  queued* last_ = nullptr;
  std::atomic<std::int64_t> oldest_{0};  // of first_
  alignas(64) std::atomic<std::int64_t> waiting_{0};
};

}  // namespace jackdaw::detail
