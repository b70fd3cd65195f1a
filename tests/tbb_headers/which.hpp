#pragma once

/// ThreadSanitizer sees nothing of what libtbb itself synchronises.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool sees_libtbb = false;
#else
inline constexpr bool sees_libtbb = true;
#endif

// The tests of this folder are compiled twice: with compat/tbb, and with libtbb's own headers alone. What they say
// holds for both.
#ifdef JACKDAW_TESTS_LIBTBB
inline constexpr bool on_jackdaw = false;
inline bool is_worker() { return false; }
#else
#include "jackdaw/runtime.hpp"
inline constexpr bool on_jackdaw = true;
inline bool is_worker() { return jackdaw::this_worker().has_value(); }
#endif
