#include "jackdaw/access.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "jackdaw/error.hpp"
#include "numa/memory_names.hpp"
#include "runtime/recording.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {
namespace {

/// Whether a program can have such memory: less of it than a trace may have, and none beyond the last address.
bool can_be(const void* first, std::size_t length, std::size_t rows, std::size_t stride) noexcept {
  constexpr std::size_t most = std::size_t{1} << 48;
  std::size_t last_row = 0, end = 0;
  return !__builtin_mul_overflow(rows - 1, stride, &last_row) && !__builtin_add_overflow(last_row, length, &end) &&
         end <= most && reinterpret_cast<std::uintptr_t>(first) <= std::numeric_limits<std::uintptr_t>::max() - end;
}

}  // namespace

void declare_access(const void* first, std::size_t length, std::size_t rows, std::size_t stride, bool write) noexcept {
  if (length == 0 || rows == 0) {
    return;
  }
  trace::recorder* const into = this_recorder();
  if (into == nullptr) {
    count_declared({.begin = reinterpret_cast<std::uintptr_t>(first),
                    .length = length,
                    .rows = rows,
                    .stride = stride,
                    .write = write,
                    .site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))});
    return;
  }
  if (!can_be(first, length, rows, stride)) {
    return;
  }
  if (stride == length) {
    length *= rows;
    rows = 1;
  }
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  auto address = reinterpret_cast<std::uintptr_t>(first);
  for (std::size_t left = rows; left != 0;) {
    const std::size_t now = std::min(left, most);
    into->touch({.address = address,
                 .length = length,
                 .stride = now == 1 ? 0 : stride,
                 .rows = static_cast<std::uint32_t>(now),
                 .write = write});
    address += now * stride;
    left -= now;
  }
}

std::shared_ptr<const void> name_bytes(const void* first, std::size_t bytes, std::string_view name) {
  if (!can_be(first, bytes, 1, 0)) {
    throw error("name_memory: " + std::to_string(bytes) + " B at that address, expected memory of this program");
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  return bytes != 0 ? numa::name_range(begin, begin + bytes, name) : nullptr;
}

void end_name(const std::shared_ptr<const void>& which) noexcept {
  numa::end_name(std::static_pointer_cast<const numa::timed_name>(which));
}

void declare_vectors() noexcept {
  if (trace::recorder* const into = this_recorder()) into->work_in_vectors();
}

}  // namespace jackdaw::detail
