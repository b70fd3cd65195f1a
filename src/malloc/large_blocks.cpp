#include "malloc/large_blocks.hpp"

#include <mimalloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/locked_at_forks.hpp"
#include "malloc/placing.hpp"
#include "malloc/report.hpp"

namespace jackdaw::malloc {
namespace {

struct block_list {
  std::mutex mutex;
  // Their nodes are small blocks. They are not freed under the mutex, which free() may want.
  std::map<const void*, std::size_t> all;
  std::multimap<std::size_t, void*> unmappable;  // by bytes: mappings without pages that the system did not take back
};
/// Relaxed: nothing depends on it being exact.
constinit std::atomic<std::uint64_t> all_bytes{0};

/// How many blocks begin at a page of each class, so that a page that begins a small block, as many do, is told without
/// the list's lock. Relaxed: whoever has a block's address has it from the thread that counted it before.
class page_classes {
 public:
  std::atomic<std::uint32_t>& of(const void* data) noexcept {
    // Multiplicative hashing; its highest bits are the best ones.
    return counts_[(reinterpret_cast<std::uintptr_t>(data) / 4096 * 0x9e3779b97f4a7c15U) >> (64 - bits)];
  }
  bool may_have(const void* data) noexcept {
    return reinterpret_cast<std::uintptr_t>(data) % 4096 == 0 && of(data).load(std::memory_order_relaxed) != 0;
  }

 private:
  static constexpr unsigned bits = 12;
  std::atomic<std::uint32_t> counts_[1 << bits]{};
};
constinit page_classes classes;

block_list& the_blocks() { return detail::locked_at_forks<block_list>(); }

std::size_t page() noexcept {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// 0: there are no so many bytes.
std::size_t whole_pages(std::size_t bytes) noexcept {
  if (bytes > std::numeric_limits<std::size_t>::max() / 4) return 0;
  return (bytes + page() - 1) / page() * page();
}

void* map(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t more = alignment > page() ? alignment : 0;
  if (more > std::numeric_limits<std::size_t>::max() / 4) return nullptr;
  void* const mapped = mmap(nullptr, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  if (more == 0) return mapped;
  auto* const data = static_cast<std::byte*>(mapped);
  const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(mapped) % alignment) % alignment;
  if (before > 0) munmap(data, before);
  munmap(data + before + bytes, more - before);
  return data + before;
}

/// A process may have so many mappings (vm.max_map_count) that one cannot be cut in two. Its memory goes back.
void keep_unmappable(void* data, std::size_t bytes) noexcept {
  madvise(data, bytes, MADV_DONTNEED);
  try {
    block_list& known = the_blocks();
    const std::lock_guard hold(known.mutex);
    known.unmappable.emplace(bytes, data);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): its addresses are lost
  }
}

/// One of that size, whose pages are as fresh as any; null: there is none.
void* take_unmappable(std::size_t bytes) {
  block_list& known = the_blocks();
  std::multimap<std::size_t, void*>::node_type gone;
  {
    const std::lock_guard hold(known.mutex);
    gone = known.unmappable.extract(bytes);
  }
  return gone.empty() ? nullptr : gone.mapped();
}

}  // namespace

void* large_blocks::make(std::size_t bytes, std::size_t alignment) noexcept {
  bytes = whole_pages(bytes);
  if (bytes == 0) return nullptr;
  try {
    block_list& known = the_blocks();
    void* data = alignment <= page() ? take_unmappable(bytes) : nullptr;
    if (data == nullptr) data = map(bytes, alignment);
    if (data == nullptr) {
      mi_collect(true);  // addresses that heaps keep for small blocks
      data = map(bytes, alignment);
    }
    if (data == nullptr) return nullptr;
    place_fresh(data, bytes);
    {
      const std::lock_guard hold(known.mutex);
      known.all.emplace(data, bytes);
    }
    classes.of(data).fetch_add(1, std::memory_order_relaxed);
    all_bytes.fetch_add(bytes, std::memory_order_relaxed);
    return data;
  } catch (const std::bad_alloc&) {  // then the mapping is lost, but there is no memory for a list either
    return nullptr;
  }
}

std::size_t large_blocks::size(const void* data) noexcept {
  if (!classes.may_have(data)) return 0;
  block_list& known = the_blocks();
  const std::lock_guard hold(known.mutex);
  const auto found = known.all.find(data);
  return found != known.all.end() ? found->second : 0;
}

bool large_blocks::free(void* data) noexcept {
  if (!classes.may_have(data)) return false;
  std::map<const void*, std::size_t>::node_type gone;
  {
    block_list& known = the_blocks();
    const std::lock_guard hold(known.mutex);
    gone = known.all.extract(data);
  }
  if (gone.empty()) return false;
  classes.of(data).fetch_sub(1, std::memory_order_relaxed);
  all_bytes.fetch_sub(gone.mapped(), std::memory_order_relaxed);
  count_given_back(data, gone.mapped());
  if (munmap(data, gone.mapped()) != 0) keep_unmappable(data, gone.mapped());
  return true;
}

void* large_blocks::resize(void* data, std::size_t bytes) noexcept {
  bytes = whole_pages(bytes);
  if (bytes == 0) return nullptr;
  block_list& known = the_blocks();
  std::lock_guard hold(known.mutex);
  auto gone = known.all.extract(data);
  void* const moved = mremap(data, gone.mapped(), bytes, MREMAP_MAYMOVE);
  if (moved != MAP_FAILED) {
    all_bytes.fetch_add(bytes - gone.mapped(), std::memory_order_relaxed);
    classes.of(data).fetch_sub(1, std::memory_order_relaxed);
    classes.of(moved).fetch_add(1, std::memory_order_relaxed);
    gone.key() = moved;
    gone.mapped() = bytes;
  }
  known.all.insert(std::move(gone));
  return moved != MAP_FAILED ? moved : nullptr;
}

std::uint64_t large_blocks::bytes() noexcept { return all_bytes.load(std::memory_order_relaxed); }

void large_blocks::each(const std::function<void(const void* data, std::size_t bytes)>& f) {
  block_list& known = the_blocks();
  const std::lock_guard hold(known.mutex);
  for (const auto& [data, bytes] : known.all) f(data, bytes);
}

}  // namespace jackdaw::malloc
