#pragma once

#include <cstdint>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The vector instructions that functions are compiled for: what every processor of the architecture has, and the wider
/// ones of x86-64.
enum class vectors : std::uint8_t { baseline, avx2, avx512 };

/// The widest that this processor has.
inline vectors widest_vectors() noexcept {
#if defined(__x86_64__)
  static const vectors found = __builtin_cpu_supports("avx512f")                                 ? vectors::avx512
                               : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? vectors::avx2
                                                                                                 : vectors::baseline;
  return found;
#else
  return vectors::baseline;
#endif
}

#if defined(__x86_64__)
#define JACKDAW_AVX2 gnu::target("avx2,fma")
#define JACKDAW_AVX512 gnu::target("avx512f,avx2,fma")
template <class F>
[[JACKDAW_AVX2, gnu::noinline]] auto in_avx2(F f) {
  return f();
}
template <class F>
[[JACKDAW_AVX512, gnu::noinline]] auto in_avx512(F f) {
  return f();
}
#endif

/// Calls f() in a function that is compiled for these vectors, which the processor must have. `f` is a lambda,
/// `[=]() __attribute__((always_inline)) { ... }`, so that its loops are compiled once for each kind. What it calls in
/// turn must be inlined so too, or it is compiled for the baseline. It captures by value: the loops could otherwise not
/// tell what they overwrite.
template <class F>
auto in_vectors(vectors which, F f) {
#if defined(__x86_64__)
  if (which == vectors::avx512) return in_avx512(f);
  if (which == vectors::avx2) return in_avx2(f);
#endif
  static_cast<void>(which);
  return f();
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
