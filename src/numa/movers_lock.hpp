#pragma once

#include <atomic>
#include <mutex>

namespace jackdaw::numa {

/// A lock that movers of pages share, and that everything else holds alone. Who waits for it alone lets no further
/// mover in, so it waits only for moves under way. std::shared_mutex does neither: glibc's lets readers in, and in the
/// child of a fork() it does not know its writer again, whose thread has another number there.
class movers_lock {
 public:
  void lock() noexcept {
    mutex_.lock();
    // Acquire: what movers did with the list and its pages comes first.
    for (int left = movers_.load(std::memory_order_acquire); left != 0;
         left = movers_.load(std::memory_order_acquire)) {
      movers_.wait(left, std::memory_order_acquire);
    }
  }
  void unlock() noexcept { mutex_.unlock(); }

  void lock_shared() noexcept {
    const std::lock_guard keep(mutex_);
    movers_.fetch_add(1, std::memory_order_relaxed);
  }
  void unlock_shared() noexcept {
    if (movers_.fetch_sub(1, std::memory_order_release) == 1) movers_.notify_all();
  }

 private:
  std::mutex mutex_;  // held by who has the lock alone, or waits for that
  std::atomic<int> movers_{0};
};

}  // namespace jackdaw::numa
