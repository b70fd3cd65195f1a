#pragma once

namespace jackdaw::detail {

/// Prefetches memory that will be read soon. Has no other effect.
inline void prefetch(const void* what) noexcept {
  __builtin_prefetch(what);
  // gcc takes a function that only prefetches for one without effect, and drops calls of it.
  asm volatile("" : : "r"(what));
}

}  // namespace jackdaw::detail
