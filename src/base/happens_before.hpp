#pragma once

#include "jackdaw/detail/sanitizers.hpp"

// ThreadSanitizer's functions; null in a program that is not linked with it.
// NOLINTBEGIN(bugprone-reserved-identifier): the names are its own
extern "C" [[gnu::weak]] void __tsan_acquire(void* object);
extern "C" [[gnu::weak]] void __tsan_release(void* object);
// NOLINTEND(bugprone-reserved-identifier)

// A program may be built with ThreadSanitizer and linked with a library that is not. Then it does not see what the
// library's accesses order, so the library says it where that concerns the program, or memory that is freed. A library
// that is itself built with ThreadSanitizer says nothing: its accesses are what is checked.
namespace jackdaw::detail {

/// What this thread did until now happens before what follows acquires() of the same object.
inline void releases([[maybe_unused]] const void* object) noexcept {
#if !defined(JACKDAW_TSAN)
  if (&__tsan_release != nullptr) __tsan_release(const_cast<void*>(object));
#endif
}
inline void acquires([[maybe_unused]] const void* object) noexcept {
#if !defined(JACKDAW_TSAN)
  if (&__tsan_acquire != nullptr) __tsan_acquire(const_cast<void*>(object));
#endif
}

}  // namespace jackdaw::detail
