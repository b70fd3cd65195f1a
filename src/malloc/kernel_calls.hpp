#pragma once

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace jackdaw::malloc {

/// The kernel's calls about memory nodes, without the allocations that src/numa's make. Each returns 0 or an errno.
/// Sets of nodes are those below 64.
using node_set = unsigned long;

inline int bind_memory(void* at, std::size_t bytes, int mode, node_set nodes) noexcept {
  // The kernel reads one bit less than the last argument but one says.
  return syscall(SYS_mbind, at, bytes, mode, &nodes, sizeof nodes * 8 + 1, 0) == 0 ? 0 : errno;
}
inline int prefer_node(void* at, std::size_t bytes, unsigned node) noexcept {
  return bind_memory(at, bytes, MPOL_PREFERRED, node_set{1} << node);
}
/// For the calling thread and those that it starts.
inline int bind_threads(int mode, node_set nodes) noexcept {
  return syscall(SYS_set_mempolicy, mode, &nodes, sizeof nodes * 8 + 1) == 0 ? 0 : errno;
}
/// The nodes whose memory this process may use; empty: the kernel does not tell.
inline node_set allowed_memory() noexcept {
  constexpr int mpol_f_mems_allowed = 4;
  node_set nodes[16] = {};  // the kernel wants room for all nodes that it was built for
  const long code = syscall(SYS_get_mempolicy, nullptr, nodes, sizeof nodes * 8, nullptr, mpol_f_mems_allowed);
  return code == 0 ? nodes[0] : 0;
}

}  // namespace jackdaw::malloc
