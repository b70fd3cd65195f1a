#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {
namespace {

bool register_fences() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/// While the program is loaded, for then it has one thread as a rule: with more the kernel waits 10 ms or so until every
/// processor has taken note, in which the first worker to lie down could not be woken.
std::atomic<bool> refused{!register_fences()};

}  // namespace

bool hardware::heavy_fence() noexcept {
  const auto fence = [] { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; };
  // The kernel refuses until the process is registered, which the child of a fork() may have to do again. Nothing is
  // remembered here: a static variable that a worker was about to initialise when another thread forked would stay
  // locked in the child for ever.
  if (fence() || (register_fences() && fence())) {
    return true;
  }
  refused.store(true, std::memory_order_relaxed);
  return false;
}

bool hardware::can_fence() noexcept { return !refused.load(std::memory_order_relaxed); }

}  // namespace jackdaw::detail
