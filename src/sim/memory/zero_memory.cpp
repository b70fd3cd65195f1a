#include "sim/memory/zero_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace jackdaw::sim {

zero_memory::zero_memory(std::size_t bytes) : size_(bytes) {
  // calloc gets large pieces from the system. They are zero without being touched.
  auto* const begin = static_cast<std::byte*>(std::calloc(bytes + line, 1));
  if (begin == nullptr) throw std::bad_alloc();
  memory_.reset(begin);
  begin_ = used_ = (line - reinterpret_cast<std::uintptr_t>(begin) % line) % line;
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(begin + bytes) / page * page;
  // Only advice: whether it is followed changes no result.
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

void zero_memory::release::operator()(std::byte* memory) const noexcept { std::free(memory); }

}  // namespace jackdaw::sim
