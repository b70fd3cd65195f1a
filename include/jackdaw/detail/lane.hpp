#pragma once

#include "jackdaw/detail/deque.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/fiber.hpp"

// Internal: not exported by a shared library.
namespace jackdaw::detail {
class worker;
}

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

using entry_slot = basic_deque<hardware, entry>::slot;

/// What a fork of the lower tier needs, in one place: the deque it pushes to, the fiber it runs on, and stacks that
/// are free. A worker has two lanes, one for what it found itself and one for what was migrated to it (ADWS 4.2.3).
struct lane {
  basic_deque<hardware, entry> deque;
  fiber* current = nullptr;
  fiber* spare = nullptr;
  void* blocks = nullptr;    ///< memory for small tasks (task_memory), each with the address of the next
  unsigned block_count = 0;  ///< how many blocks there are; bounded, as thieves free what others allocated
  const exception_state* exceptions = nullptr;  ///< the thread's own
  worker* owner = nullptr;
};

}  // namespace jackdaw::detail

extern "C" {
/// The lane that forks of this thread go to. Null on a thread that is no worker, and on a worker while the task that
/// it runs is in the upper tier: one comparison answers both.
extern __thread jackdaw::detail::lane* jackdaw_lane __attribute__((tls_model("initial-exec")));
}

namespace jackdaw::detail {

lane* this_lane_slow() noexcept;

/// A task may resume on a different thread after any fork or join, so the thread's address must not be kept in a
/// register across one. Compilers do not know this. Hence the volatile read, which names the thread register each time.
inline lane* this_lane() noexcept {
#if defined(__x86_64__)
  lane* found;
  asm volatile("movq jackdaw_lane@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(found));
  return found;
#elif defined(__aarch64__)
  // The linker of a program turns these pairs of instructions into moves of the offset itself.
  lane* found;
  void* thread;
  asm volatile(
      "mrs %1, tpidr_el0\n\t"
      "adrp %0, :gottprel:jackdaw_lane\n\t"
      "ldr %0, [%0, :gottprel_lo12:jackdaw_lane]\n\t"
      "ldr %0, [%1, %0]"
      : "=&r"(found), "=&r"(thread));
  return found;
#else
  return this_lane_slow();
#endif
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
