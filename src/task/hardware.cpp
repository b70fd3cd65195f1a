#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jackdaw/detail/atomics.hpp"

namespace jackdaw::detail {

bool hardware::heavy_fence() noexcept {
  static const bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  if (registered && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
    return true;
  }
  // A child of fork() must register again; it does not inherit the registration on every kernel.
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
         syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

}  // namespace jackdaw::detail
