#include <cstdint>

#include "jackdaw/detail/context.hpp"
#include "jackdaw/detail/control_word.hpp"

extern "C" void jackdaw_begin();

namespace jackdaw::detail {
namespace {

constexpr std::size_t words = 22;  // in a frame: context_aarch64.S

/// Returns an address, signed like the return address of a function that was entered with this stack pointer, if return
/// addresses are signed.
std::uintptr_t sign([[maybe_unused]] void* stack_pointer, std::uintptr_t address) noexcept {
#if defined(__ARM_FEATURE_PAC_DEFAULT)
  register std::uintptr_t x17 asm("x17") = address;
  register void* x16 asm("x16") = stack_pointer;
  asm("hint 8 // pacia1716" : "+r"(x17) : "r"(x16));
  return x17;
#else
  return address;
#endif
}

}  // namespace

void* make_context(void* stack_top, void (*function)(void*) noexcept, void* argument) noexcept {
  auto* const frame = static_cast<std::uintptr_t*>(stack_top) - words;
  for (std::size_t at = 0; at < words; ++at) {
    frame[at] = 0;
  }
  frame[1] = sign(stack_top, reinterpret_cast<std::uintptr_t>(&jackdaw_begin));  // x30
  frame[2] = reinterpret_cast<std::uintptr_t>(function);                         // x19
  frame[3] = reinterpret_cast<std::uintptr_t>(argument);                         // x20
  frame[20] = control_word().bits();
  return frame;
}

const void* resumes_at(const void* context) noexcept {
  constexpr std::uintptr_t address_bits = (std::uintptr_t{1} << 48) - 1;  // a signature is in the bits above
  return reinterpret_cast<const void*>(static_cast<const std::uintptr_t*>(context)[1] & address_bits);
}

}  // namespace jackdaw::detail
