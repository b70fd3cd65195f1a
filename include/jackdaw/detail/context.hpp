#pragma once

#include <cstddef>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/sanitizers.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Whether every switch of stacks is announced to a sanitizer. If so, the short way back from a child is not taken. A
/// source of the program knows when it is compiled; the library, which may be linked with either, asks.
#if defined(JACKDAW_ASAN) || defined(JACKDAW_TSAN)
constexpr bool announced = true;
#elif defined(JACKDAW_LIBRARY)
bool has_sanitizer() noexcept;
constexpr struct {
  operator bool() const noexcept { return has_sanitizer(); }  // NOLINT(google-explicit-constructor): stands for a bool
} announced;
#else
constexpr bool announced = false;
#endif

/// Saves the callee-saved registers on this stack and the stack pointer in *from, then continues where `to` was saved.
/// The other side's call returns `value`. The control bits of the floating-point unit (control_word.hpp) are part of a
/// context; its status flags and the signal mask are not. Shadow stacks are not switched.
extern "C" void* jackdaw_switch(void** from, void* to, void* value) noexcept;

/// Saves this context in *from and calls function(stack_top) on the stack below stack_top, which is divisible by 16.
/// Returns what the function returns. If *from was resumed meanwhile, it returns what jackdaw_switch was given, and the
/// function must never return. Either way the control bits are as before.
extern "C" void* jackdaw_call_on(void** from, void* stack_top, void* (*function)(void*)) noexcept;

/// Returns the same pointer, but hides from the compiler that it is the same. So the compiler computes again what it
/// would have kept in a register.
template <class T>
[[gnu::always_inline]] inline T* forgotten(T* known) noexcept {
  asm("" : "+r"(known));
  return known;
}

/// A context that, when switched to, calls function(argument), which must not return. Its control bits are the
/// caller's.
void* make_context(void* stack_top, void (*function)(void*) noexcept, void* argument) noexcept;

/// The return address at which a saved context continues; null if it is not known.
const void* resumes_at(const void* context) noexcept;

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
