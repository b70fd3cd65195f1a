#pragma once

namespace jackdaw::detail {

/// Asks the processor to bring memory near that will be read soon. Changes nothing else.
inline void prefetch(const void* what) noexcept {
  __builtin_prefetch(what);
  // gcc takes a function that does nothing else for one without effect, and leaves out the calls of it.
  asm volatile("" : : "r"(what));
}

}  // namespace jackdaw::detail
