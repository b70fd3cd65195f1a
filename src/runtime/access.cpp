#include "jackdaw/access.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtime/recording.hpp"
#include "trace/recorder.hpp"

namespace jackdaw::detail {

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
                    .write = write});
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

void declare_vectors() noexcept {
  if (trace::recorder* const into = this_recorder()) into->work_in_vectors();
}

}  // namespace jackdaw::detail
