// The C library's allocation functions, which are called in place of its own if this library is preloaded. operator new
// of the C++ library calls them.
#include <malloc.h>
#include <mimalloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "malloc/hooks.hpp"
#include "malloc/large_blocks.hpp"
#include "malloc/node_heaps.hpp"
#include "malloc/placing.hpp"

namespace jackdaw::malloc {
namespace {

/// Null sets errno, as the standard wants.
void* or_no_memory(void* block) noexcept {
  if (block == nullptr) errno = ENOMEM;
  return block;
}

bool is_power_of_two(std::size_t number) noexcept { return number != 0 && (number & (number - 1)) == 0; }

/// Of mimalloc's ways the shortest, whose blocks suit all types that fit into them.
void* take(std::size_t bytes) noexcept {
  if (bytes >= large_blocks::least) return or_no_memory(large_blocks::make(bytes, 1));
  mi_heap_t* const heap = node_heaps::current();
  void* block = mi_heap_malloc(heap, bytes);
  // A node's addresses may be used up.
  if (block == nullptr && heap != mi_heap_get_default()) block = mi_malloc(bytes);
  return or_no_memory(block);
}

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes >= large_blocks::least) return or_no_memory(large_blocks::make(bytes, alignment));
  mi_heap_t* const heap = node_heaps::current();
  void* block = mi_heap_malloc_aligned(heap, bytes, alignment);
  if (block == nullptr && heap != mi_heap_get_default()) block = mi_malloc_aligned(bytes, alignment);
  return or_no_memory(block);
}

void give_back(void* block) noexcept {
  if (block != nullptr && !large_blocks::free(block)) mi_free(block);
}

void* change(void* block, std::size_t bytes) noexcept {
  const std::size_t was = large_blocks::size(block);
  if (was != 0 && bytes >= large_blocks::least) {
    if (void* const other = large_blocks::resize(block, bytes)) return other;
  }
  if (was == 0 && bytes < large_blocks::least)
    return or_no_memory(mi_heap_realloc(node_heaps::current(), block, bytes));
  void* const other = take(bytes);
  if (other == nullptr) return nullptr;
  std::memcpy(other, block, std::min(bytes, was != 0 ? was : mi_usable_size(block)));
  give_back(block);
  return other;
}

bool follows_scheduler() noexcept { return chosen_placing() == placing::scheduler; }

void choose(int node) noexcept { node_heaps::choose(follows_scheduler() ? node : -1); }

}  // namespace
}  // namespace jackdaw::malloc

namespace m = jackdaw::malloc;

#define JACKDAW_TAKES_OVER extern "C" __attribute__((visibility("default")))

JACKDAW_TAKES_OVER const m::hooks jackdaw_malloc_1;
const m::hooks jackdaw_malloc_1{
    .allocate_on = m::choose, .follows_scheduler = m::follows_scheduler, .large_bytes = m::large_blocks::bytes};

JACKDAW_TAKES_OVER void* malloc(std::size_t bytes) noexcept { return m::take(bytes); }

JACKDAW_TAKES_OVER void free(void* block) noexcept {
  const int before = errno;  // stays, as the C library promises
  m::give_back(block);
  errno = before;
}

JACKDAW_TAKES_OVER void* calloc(std::size_t count, std::size_t each) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, each, &bytes)) return m::or_no_memory(nullptr);
  void* const block = m::take(bytes);
  // Large blocks are fresh.
  return block == nullptr || bytes >= m::large_blocks::least ? block : std::memset(block, 0, bytes);
}

JACKDAW_TAKES_OVER void* realloc(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return malloc(bytes);
  if (bytes == 0) {
    free(block);
    return nullptr;
  }
  return m::change(block, bytes);
}

JACKDAW_TAKES_OVER void* reallocarray(void* block, std::size_t count, std::size_t each) noexcept {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(count, each, &bytes) ? m::or_no_memory(nullptr) : realloc(block, bytes);
}

JACKDAW_TAKES_OVER int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  if (!m::is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* const made = m::take(bytes, alignment);
  errno = before;
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

JACKDAW_TAKES_OVER void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  std::size_t rounded = alignof(std::max_align_t);
  while (rounded < alignment && rounded != 0) rounded *= 2;
  return rounded == 0 ? m::or_no_memory(nullptr) : m::take(bytes, rounded);
}

JACKDAW_TAKES_OVER void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  if (!m::is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return m::take(bytes, alignment);
}

JACKDAW_TAKES_OVER void* valloc(std::size_t bytes) noexcept {
  return m::take(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

JACKDAW_TAKES_OVER void* pvalloc(std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes > static_cast<std::size_t>(-1) - page ? m::or_no_memory(nullptr)
                                                     : m::take((bytes + page - 1) / page * page, page);
}

JACKDAW_TAKES_OVER std::size_t malloc_usable_size(void* block) noexcept {
  if (block == nullptr) return 0;
  const std::size_t large = m::large_blocks::size(block);
  return large != 0 ? large : mi_usable_size(block);
}

JACKDAW_TAKES_OVER int malloc_trim(std::size_t) noexcept {
  mi_collect(true);
  return 1;
}

JACKDAW_TAKES_OVER void cfree(void* block) noexcept { free(block); }

// Names by which some programs get round their own malloc.
JACKDAW_TAKES_OVER void* __libc_malloc(std::size_t bytes) noexcept { return malloc(bytes); }
JACKDAW_TAKES_OVER void* __libc_calloc(std::size_t count, std::size_t each) noexcept { return calloc(count, each); }
JACKDAW_TAKES_OVER void* __libc_realloc(void* block, std::size_t bytes) noexcept { return realloc(block, bytes); }
JACKDAW_TAKES_OVER void __libc_free(void* block) noexcept { free(block); }
JACKDAW_TAKES_OVER void __libc_cfree(void* block) noexcept { free(block); }
JACKDAW_TAKES_OVER void* __libc_memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return memalign(alignment, bytes);
}
JACKDAW_TAKES_OVER void* __libc_valloc(std::size_t bytes) noexcept { return valloc(bytes); }
JACKDAW_TAKES_OVER void* __libc_pvalloc(std::size_t bytes) noexcept { return pvalloc(bytes); }
