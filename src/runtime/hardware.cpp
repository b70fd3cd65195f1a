#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "runtime/moving.hpp"

namespace jackdaw::detail {
namespace {

bool register_fences() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/// Registered while the program is loaded, because it usually has one thread then. With more threads the kernel waits
/// about 10 ms until every processor has taken note, and meanwhile the first worker to lie down could not be woken.
std::atomic<bool> refused{!register_fences()};

}  // namespace

bool hardware::heavy_fence() noexcept {
  const auto fence = [] { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; };
  // The kernel refuses until the process is registered, and the child of a fork() may have to register again. No static
  // variable remembers this: if a worker were initialising it when another thread forked, it would stay locked in the
  // child for ever.
  if (fence() || (register_fences() && fence())) {
    return true;
  }
  refused.store(true, std::memory_order_relaxed);
  return false;
}

// If the owner of a deque cannot be fenced, each of its pushes attends to others. If tasks move at forks, that is
// wanted.
bool hardware::can_fence() noexcept { return !refused.load(std::memory_order_relaxed) && !moving(); }

/// Mostly does nothing, often waits some ns, and now and then so long that other threads overtake.
void hardware::wait_at_random() noexcept {
  static std::atomic<std::uint64_t> sequence{0};
  std::uint64_t drawn = sequence.fetch_add(0x9e3779b97f4a7c15u, std::memory_order_relaxed);
  drawn = (drawn ^ (drawn >> 31)) * 0xbf58476d1ce4e5b9u;
  drawn ^= drawn >> 29;
  if (drawn % 64 != 0) {
    return;
  }
  if (drawn / 64 % 64 == 0) {
    yield();
    return;
  }
  for (std::uint64_t left = drawn / 4096 % 64; left > 0; --left) {
    pause();
  }
}

}  // namespace jackdaw::detail
