#pragma once

#include <cstdint>

namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

/// Returns the recorder of this thread's tasks; null if they are not recorded.
trace::recorder* this_recorder() noexcept;

/// Lets this thread's recorder measure what recording a fork costs, once, before its first root.
void measure_recording() noexcept;

/// An access that the running task declares: `rows` runs of `length` bytes, whose beginnings are `stride` bytes apart.
struct declared_access {
  std::uintptr_t begin = 0;
  std::uint64_t length = 0;
  std::uint64_t rows = 1;
  std::uint64_t stride = 0;
  bool write = false;
  std::uintptr_t site = 0;  ///< the code that declares it; 0: not known

  /// The end of the last row. If the rows are apart, the range holds more than they do.
  std::uintptr_t end() const noexcept { return begin + (rows - 1) * stride + length; }
  /// Returns the number of lines of 64 bytes; each row begins a new one.
  std::uint64_t lines() const noexcept { return rows * ((length + 63) / 64); }
};

/// Counts an access that the running task has declared, if this thread is a worker.
void count_declared(const declared_access& what) noexcept;

}  // namespace jackdaw::detail
