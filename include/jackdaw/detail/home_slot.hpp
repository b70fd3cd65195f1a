#pragma once

#include <cstddef>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

extern "C" {
/// 0 on a thread that is no worker; else slot_of_node of the worker's memory node.
extern __thread unsigned jackdaw_home_slot __attribute__((tls_model("initial-exec")));
}

namespace jackdaw::detail {

inline constexpr unsigned home_slots = 65;

/// Nodes 0 to 63 have slots of their own. Nodes above share them: every 64th node has the same slot.
constexpr unsigned slot_of_node(unsigned os_node) noexcept { return 1 + os_node % (home_slots - 1); }

unsigned this_home_slot_slow() noexcept;

/// As with this_lane(), a task may resume on a different thread, so the thread's address must not be kept across a fork
/// or join.
inline unsigned this_home_slot() noexcept {
#if defined(__x86_64__)
  unsigned found;
  std::size_t offset;
  asm volatile("movq jackdaw_home_slot@gottpoff(%%rip), %1\n\tmovl %%fs:(%1), %0" : "=r"(found), "=&r"(offset));
  return found;
#elif defined(__aarch64__)
  std::size_t offset;
  void* thread;
  unsigned found;
  asm volatile(
      "mrs %1, tpidr_el0\n\t"
      "adrp %2, :gottprel:jackdaw_home_slot\n\t"
      "ldr %2, [%2, :gottprel_lo12:jackdaw_home_slot]\n\t"
      "ldr %w0, [%1, %2]"
      : "=&r"(found), "=&r"(thread), "=&r"(offset));
  return found;
#else
  return this_home_slot_slow();
#endif
}

void set_this_home_slot(unsigned slot) noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
