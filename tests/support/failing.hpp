#pragma once

#include <cstddef>

namespace jackdaw::test {

/// What a program asks the system for and may be refused, bit by bit.
enum class ask : unsigned {
  memory = 1,     ///< operator new, in all its forms
  map = 2,        ///< mmap
  unmap = 4,      ///< munmap
  protect = 8,    ///< mprotect
  advise = 16,    ///< madvise
  bind = 32,      ///< mbind, for want of memory
  thread = 64,    ///< pthread_create
  at_exit = 128,  ///< __cxa_atexit and what pthread_atfork calls; not under sanitizers, which have their own
  describe = 256  ///< what hwloc answers instead of a topology; its own allocations never fail here
};
constexpr ask operator|(ask a, ask b) noexcept {
  return static_cast<ask>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(ask all, ask one) noexcept {
  return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

/// While it lives, what this process's threads ask for fails: of these kinds the one after `after` others, or all from
/// that one on. One at a time.
class failing {
 public:
  enum class which { one, all };
  failing(ask kinds, long after, which of) noexcept;
  ~failing();
  failing(const failing&) = delete;
  failing& operator=(const failing&) = delete;

  /// Nothing fails from now on. How much was asked for, of these kinds.
  static long stop() noexcept;
};

/// What the process has, and can only have by asking. They are exact: what the C library maps for itself is not in it.
struct holdings {
  long blocks = 0;  ///< of operator new
  long bytes = 0;   ///< by mmap, but for:
  long stacks = 0;  ///< bytes by mmap that are for stacks
  static holdings now() noexcept;
  friend bool operator==(const holdings&, const holdings&) = default;
};

/// How many times munmap has refused since the program began: what it left is not given back.
long refused_unmaps() noexcept;

}  // namespace jackdaw::test
