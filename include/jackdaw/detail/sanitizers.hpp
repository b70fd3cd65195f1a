#pragma once

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

// Which sanitizers this translation unit is compiled with, under both compilers' names for them.
#if defined(__SANITIZE_ADDRESS__)
#define JACKDAW_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define JACKDAW_TSAN 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JACKDAW_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define JACKDAW_TSAN 1
#endif
#endif

// ThreadSanitizer does not see what a library that is not built with it orders. So it is told: what this thread did
// happens before what follows where another thread acquires the same object.
#if defined(JACKDAW_TSAN) && !defined(JACKDAW_SANITIZED)
extern "C" void __tsan_acquire(void* object);  // NOLINT(bugprone-reserved-identifier): ThreadSanitizer's
extern "C" void __tsan_release(void* object);  // NOLINT(bugprone-reserved-identifier)
#define JACKDAW_ACQUIRES(object) __tsan_acquire(object)
#define JACKDAW_RELEASES(object) __tsan_release(object)
#elif defined(JACKDAW_LIBRARY) && !defined(JACKDAW_TSAN)
// The library's own forks run functions of programs (src/c), which may be linked with ThreadSanitizer.
extern "C" [[gnu::weak]] void __tsan_acquire(void* object);  // NOLINT(bugprone-reserved-identifier)
extern "C" [[gnu::weak]] void __tsan_release(void* object);  // NOLINT(bugprone-reserved-identifier)
#define JACKDAW_ACQUIRES(object) (&__tsan_acquire != nullptr ? __tsan_acquire(object) : static_cast<void>(0))
#define JACKDAW_RELEASES(object) (&__tsan_release != nullptr ? __tsan_release(object) : static_cast<void>(0))
#else
#define JACKDAW_ACQUIRES(object) static_cast<void>(0)
#define JACKDAW_RELEASES(object) static_cast<void>(0)
#endif

// A function that changes stacks: ThreadSanitizer's record of calls is per fiber, so it must not count this one.
#if defined(JACKDAW_TSAN) && defined(__clang__)
#define JACKDAW_UNSEEN __attribute__((disable_sanitizer_instrumentation))
#elif defined(JACKDAW_TSAN)
#define JACKDAW_UNSEEN __attribute__((no_sanitize("thread")))
#else
#define JACKDAW_UNSEEN
#endif

JACKDAW_EXPORT_END
