#pragma once

#include <cstdint>

namespace jackdaw::trace {
class recorder;
}

namespace jackdaw::detail {

/// What records this thread's tasks; null if nothing does.
trace::recorder* this_recorder() noexcept;

/// What the running task declares to access: `rows` runs of `length` bytes, their beginnings `stride` bytes apart.
struct declared_access {
  std::uintptr_t begin = 0;
  std::uint64_t length = 0;
  std::uint64_t rows = 1;
  std::uint64_t stride = 0;
  bool write = false;

  /// More than the rows hold if these are apart.
  std::uintptr_t end() const noexcept { return begin + (rows - 1) * stride + length; }
  /// Of 64 bytes; each row begins a new one.
  std::uint64_t lines() const noexcept { return rows * ((length + 63) / 64); }
};

/// The running task has declared that; counted by this thread's worker, if it is one.
void count_declared(const declared_access& what) noexcept;

}  // namespace jackdaw::detail
