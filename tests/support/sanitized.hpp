#pragma once

#include "jackdaw/detail/sanitizers.hpp"

namespace jackdaw::test {

/// Whether a sanitizer is in the program: everything takes several times as long, and what is not about memory or
/// threads has been shown without one.
#if defined(JACKDAW_ASAN) || defined(JACKDAW_TSAN)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace jackdaw::test
