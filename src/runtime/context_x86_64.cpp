#include <cstdint>

#include "jackdaw/detail/context.hpp"
#include "jackdaw/detail/control_word.hpp"

extern "C" void jackdaw_begin();

namespace jackdaw::detail {

void* make_context(void* stack_top, void (*function)(void*) noexcept, void* argument) noexcept {
  // After the return into jackdaw_begin the stack pointer is two words below the top: a call needs it divisible by 16.
  auto* const frame = static_cast<std::uintptr_t*>(stack_top) - 10;
  frame[0] = control_word().bits();                       // MXCSR, and the x87's
  frame[1] = 0;                                           // r15
  frame[2] = 0;                                           // r14
  frame[3] = 0;                                           // r13
  frame[4] = reinterpret_cast<std::uintptr_t>(function);  // r12
  frame[5] = reinterpret_cast<std::uintptr_t>(argument);  // rbx
  frame[6] = 0;                                           // rbp
  frame[7] = reinterpret_cast<std::uintptr_t>(&jackdaw_begin);
  return frame;
}

const void* resumes_at(const void* context) noexcept { return static_cast<const void* const*>(context)[7]; }

}  // namespace jackdaw::detail
