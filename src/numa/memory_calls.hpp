#pragma once

// The kernel's calls for memory policies: libnuma's functions, or the same ones where the library is built without it.
#if defined(JACKDAW_WITH_LIBNUMA)
#include <numaif.h>
#else
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jackdaw::numa {

inline long mbind(void* at, unsigned long bytes, int mode, const unsigned long* mask, unsigned long bits,
                  unsigned flags) noexcept {
  return syscall(SYS_mbind, at, bytes, mode, mask, bits, flags);
}
inline long move_pages(int process, unsigned long count, void** pages, const int* nodes, int* states,
                       int flags) noexcept {
  return syscall(SYS_move_pages, process, count, pages, nodes, states, flags);
}
inline long set_mempolicy(int mode, const unsigned long* mask, unsigned long bits) noexcept {
  return syscall(SYS_set_mempolicy, mode, mask, bits);
}
inline long get_mempolicy(int* mode, unsigned long* mask, unsigned long bits, void* at, unsigned long flags) noexcept {
  return syscall(SYS_get_mempolicy, mode, mask, bits, at, flags);
}

}  // namespace jackdaw::numa
#endif
