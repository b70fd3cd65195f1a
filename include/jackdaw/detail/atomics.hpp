#pragma once

#include <atomic>
#include <thread>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/sanitizers.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The policy that the lock-free parts of the runtime are templates over: this one on real machines, the interleaving
/// explorer's in tests/model.
///
/// The owner of a deque executes no fence. A thief that needs the owner's stores calls heavy_fence(). After this call
/// every other thread of the process behaves as if it had executed a full fence somewhere between the call's start and
/// its end (membarrier(2), PRIVATE_EXPEDITED). The owner's counterpart is light_fence(), which only stops the compiler.
struct hardware {
  template <class T>
  using atomic = std::atomic<T>;

  static void light_fence() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    dither();
  }
  /// False if the kernel refuses it. Then nothing may be concluded from the absence of a store.
  static bool heavy_fence() noexcept;
  /// Whether the heavy fence has not been refused yet. Only slow paths ask.
  static bool can_fence() noexcept;
  static void full_fence() noexcept {
    dither();
#if defined(JACKDAW_TSAN)
    // ThreadSanitizer does not know fences. This is a fence for the processor, and everything that it orders is atomic.
    std::atomic<int> here{0};
    here.fetch_add(1, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  /// Does nothing. With JACKDAW_DITHER, for soak tests, it sometimes waits for a random time at the points where
  /// protocols race.
  static void dither() noexcept {
#if defined(JACKDAW_DITHER)
    wait_at_random();
#endif
  }
  static void wait_at_random() noexcept;

  static void pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
  }
  static void yield() noexcept { std::this_thread::yield(); }
};

/// A lock that is held for a few instructions. A waiter that spins for long yields its processor, because the holder
/// may have lost its own.
template <class P>
class spin_lock {
 public:
  bool try_lock() noexcept {
    // Acquire: what the last holder wrote is visible. The plain load keeps a busy line shared.
    return !held_.load(std::memory_order_relaxed) && !held_.exchange(true, std::memory_order_acquire);
  }
  void lock() noexcept {
    for (unsigned tries = 0; !try_lock(); ++tries) {
      if (tries < 64) {
        P::pause();
      } else {
        P::yield();
      }
    }
  }
  /// Waits only for as long as a holder takes that has its processor. False: it gave up. True orders as lock() does.
  bool lock_soon() noexcept {
    for (unsigned tries = 0; tries < 64; ++tries) {
      if (try_lock()) return true;
      P::pause();
    }
    return false;
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  typename P::template atomic<bool> held_{false};
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
