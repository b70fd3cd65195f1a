#include "base/own_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/own_mapping.hpp"

namespace jackdaw::detail {
namespace {

/// A piece lies so far behind the beginning of its mapping, which holds the own_mapping itself.
constexpr std::size_t before(std::size_t alignment) noexcept { return std::max(alignment, sizeof(own_mapping) * 2); }

}  // namespace

void* own_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t offset = before(alignment);
  if (bytes > std::numeric_limits<std::size_t>::max() / 2 - offset) throw std::bad_alloc();
  const std::size_t whole = bytes + offset;
  void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  (new (memory) own_mapping)->adopt(memory, whole);
  return static_cast<std::byte*>(memory) + offset;
}

void own_memory::do_deallocate(void* memory, std::size_t /*bytes*/, std::size_t alignment) {
  // No destructor is called: the mapping that unmaps itself ends with its memory.
  reinterpret_cast<own_mapping*>(static_cast<std::byte*>(memory) - before(alignment))->unmap();
}

bool own_memory::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const own_memory*>(&other) != nullptr;
}

}  // namespace jackdaw::detail
