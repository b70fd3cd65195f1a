#pragma once

#include <cstddef>

namespace jackdaw::test {

/// The kinds of requests to the system that may be refused; a bit each.
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

/// While it lives, requests of these kinds by this process's threads fail: the one after `after` others, or all from
/// that one on. Only one at a time.
class failing {
 public:
  enum class which { one, all };
  failing(ask kinds, long after, which of) noexcept;
  ~failing();
  failing(const failing&) = delete;
  failing& operator=(const failing&) = delete;

  /// No request fails from now on. Returns the number of requests of these kinds.
  static long stop() noexcept;
};

/// The resources that the process has obtained by such requests. The numbers are exact: they leave out what the C
/// library maps for itself.
struct holdings {
  long blocks = 0;  ///< of operator new
  long bytes = 0;   ///< by mmap, but for:
  long stacks = 0;  ///< bytes by mmap that are for stacks
  static holdings now() noexcept;
  friend bool operator==(const holdings&, const holdings&) = default;
};

/// How many times munmap has refused since the program began; that memory stays mapped.
long refused_unmaps() noexcept;

}  // namespace jackdaw::test
