#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>

#include "base/happens_before.hpp"

namespace jackdaw::gomp {

using word = std::atomic<std::uint32_t>;

/// Sleeps while the word has that value; may return for no reason.
inline void sleep_on(word& at, std::uint32_t value) noexcept {
  syscall(SYS_futex, &at, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

inline void wake(word& at, int most = INT_MAX) noexcept {
  syscall(SYS_futex, &at, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}

inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// A lock in one word of memory that is all zero when it is free: what `omp_lock_t` and a critical section's name have
/// room for. 0: free; 1: taken; 2: taken, and perhaps waited for. The thread that takes it acquires what the one that
/// gave it back has released.
class word_lock {
 public:
  explicit word_lock(word& at) noexcept : at_(at) {}
  bool try_lock() noexcept {
    std::uint32_t free = 0;
    return at_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void lock() noexcept {
    if (!try_lock()) lock_slowly();
  }
  void unlock() noexcept {
    if (at_.exchange(0, std::memory_order_release) == 2) wake(at_, 1);
  }

 private:
  void lock_slowly() noexcept;
  word& at_;
};

/// The same as an object of its own.
class lock {
 public:
  void acquire() noexcept { word_lock(word_).lock(); }
  void release() noexcept { word_lock(word_).unlock(); }

 private:
  word word_{0};
};

/// Holds a lock in its scope.
class holding {
 public:
  explicit holding(lock& what) noexcept : what_(what) { what_.acquire(); }
  ~holding() { what_.release(); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;

 private:
  lock& what_;
};

}  // namespace jackdaw::gomp
