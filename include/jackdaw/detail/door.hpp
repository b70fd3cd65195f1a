#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"

#pragma GCC visibility push(default)

namespace jackdaw::detail {

/// Lets threads in until it is closed, and counts those inside. A thread is inside only while it hands something over,
/// so whoever closes the door waits for a few instructions at most. src/runtime/README-life.md.
template <class P>
class basic_door {
 public:
  /// A door that is closed until open() is called.
  constexpr basic_door() noexcept = default;

  /// False: the door is closed, and the caller is not counted. Acquire: what stands behind the door is there.
  [[nodiscard]] bool enter() noexcept {
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    do {
      if ((seen & closed) != 0) {
        return false;
      }
    } while (!word_.compare_exchange_strong(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed));
    return true;
  }

  /// Release: what was handed over is there for whoever has closed the door. The last touch.
  void leave() noexcept { word_.fetch_sub(1, std::memory_order_release); }

  /// Returns when nobody is inside and nobody can come in any more. Acquire: what those inside have done.
  void close() noexcept {
    word_.fetch_or(closed, std::memory_order_relaxed);
    while (word_.load(std::memory_order_acquire) != closed) {
      P::yield();
    }
  }

  /// In the child of a fork(), whoever was inside: those threads are not there. By the only thread that may close it.
  void close_anew() noexcept { word_.store(closed, std::memory_order_relaxed); }

  /// By the only thread that may close it; nobody is inside. Release: what stands behind it.
  void open() noexcept { word_.store(0, std::memory_order_release); }

  bool is_closed() const noexcept { return (word_.load(std::memory_order_acquire) & closed) != 0; }

 private:
  static constexpr std::uint32_t closed = std::uint32_t{1} << 31;

  typename P::template atomic<std::uint32_t> word_{closed};
};

using door = basic_door<hardware>;

}  // namespace jackdaw::detail

#pragma GCC visibility pop
