#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Lets threads in until it is closed, and counts those inside. A thread is inside only while it hands something over,
/// so a thread that closes the door waits for a few instructions as a rule. src/runtime/README-life.md.
template <class P>
class basic_door {
 public:
  /// A door that is closed until open() is called.
  constexpr basic_door() noexcept = default;

  /// False: the door is closed, and the caller is not counted. Acquire: what the door guards is there.
  [[nodiscard]] bool enter() noexcept {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    do {
      if ((seen & closed) != 0) {
        return false;
      }
    } while (!word_.compare_exchange_strong(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed));
    return true;
  }

  /// Release: what was handed over is visible to the thread that closes the door. This is the caller's last access to
  /// the door.
  void leave() noexcept { word_.fetch_sub(1, std::memory_order_release); }

  /// Returns when no thread is inside and none can enter any more. Acquire: what the threads inside have done.
  void close() noexcept {
    word_.fetch_or(closed, std::memory_order_relaxed);
    while (word_.load(std::memory_order_acquire) != closed) {
      P::yield();
    }
  }

  /// For the child of a fork(), where the threads that were inside do not exist. Only the thread that may close the
  /// door calls it.
  void close_anew() noexcept { word_.store(closed, std::memory_order_relaxed); }

  /// Only the thread that may close the door calls it, while no thread is inside. Release: what the door guards.
  void open() noexcept { word_.store(0, std::memory_order_release); }

  bool is_closed() const noexcept { return (word_.load(std::memory_order_acquire) & closed) != 0; }

 private:
  static constexpr std::uint32_t closed = std::uint32_t{1} << 31;

  typename P::template atomic<std::uint32_t> word_{closed};
};

using door = basic_door<hardware>;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
