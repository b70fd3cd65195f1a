#pragma once

#include <cstdint>
#include <initializer_list>

namespace jackdaw::test {

/// A system call that the kernel is to answer with `error`.
struct refused_call {
  long number;
  int error;
  std::uint32_t flags = 0;  ///< only where its third argument has one of these; 0: always
};

/// From now on, when this thread, or one that it starts, makes one of these. False where the kernel has no such
/// filters.
bool refuse_calls(std::initializer_list<refused_call> calls);

}  // namespace jackdaw::test
