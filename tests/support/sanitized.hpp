#pragma once

#include "jackdaw/detail/sanitizers.hpp"

namespace jackdaw::test {

/// Whether the program runs under a sanitizer. Everything then takes several times as long, and tests that are not
/// about memory or threads pass without one already.
#if defined(JACKDAW_ASAN) || defined(JACKDAW_TSAN)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Whether this is ThreadSanitizer, the slowest of them.
#if defined(JACKDAW_TSAN)
inline constexpr bool under_tsan = true;
#else
inline constexpr bool under_tsan = false;
#endif

}  // namespace jackdaw::test
