#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {

bool hardware::heavy_fence() noexcept {
  const auto fence = [] { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; };
  // The kernel refuses until the process is registered, which the child of a fork() may have to do again. Nothing is
  // remembered here: a static variable that a worker was about to initialise when another thread forked would stay
  // locked in the child for ever.
  return fence() || (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 && fence());
}

}  // namespace jackdaw::detail
