#pragma once

#include <atomic>
#include <thread>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/sanitizers.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// What the lock-free parts of the runtime are written against: this policy on real machines, the interleaving
/// explorer's policy in tests/model.
///
/// The owner of a deque pays for no fence. Where a thief needs the owner's stores it calls heavy_fence(), after which
/// every other thread of the process behaves as if it had executed a full fence somewhere between the call's start and
/// its end (membarrier(2), PRIVATE_EXPEDITED); the owner's side of that bargain is light_fence(), which only stops
/// the compiler.
struct hardware {
  template <class T>
  using atomic = std::atomic<T>;

  static void light_fence() noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    dither();
  }
  /// False where the kernel refuses: then nothing may be concluded from the absence of a store.
  static bool heavy_fence() noexcept;
  /// Whether it has not been refused yet. Only what is slow anyway asks.
  static bool can_fence() noexcept;
  static void full_fence() noexcept {
    dither();
#if defined(JACKDAW_TSAN)
    // ThreadSanitizer knows no fences; this is one for the processor, and all that it guards are atomics.
    std::atomic<int> here{0};
    here.fetch_add(1, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  /// Nothing; with JACKDAW_DITHER, for soaking, a pause now and then of random length at the places where protocols
  /// cross.
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

/// A lock for a few instructions. A waiter gives its processor away: the holder may have lost its own.
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
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  typename P::template atomic<bool> held_{false};
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
