#include "jackdaw/detail/context.hpp"

#include <cstdint>

extern "C" void jackdaw_begin();

namespace jackdaw::detail {

void* make_context(void* stack_top, void (*function)(void*) noexcept, void* argument) noexcept {
  // After the return into jackdaw_begin the stack pointer is two words below the top: a call needs it divisible by 16.
  auto* const frame = static_cast<std::uintptr_t*>(stack_top) - 9;
  frame[0] = 0;                                           // r15
  frame[1] = 0;                                           // r14
  frame[2] = 0;                                           // r13
  frame[3] = reinterpret_cast<std::uintptr_t>(function);  // r12
  frame[4] = reinterpret_cast<std::uintptr_t>(argument);  // rbx
  frame[5] = 0;                                           // rbp
  frame[6] = reinterpret_cast<std::uintptr_t>(&jackdaw_begin);
  return frame;
}

}  // namespace jackdaw::detail
