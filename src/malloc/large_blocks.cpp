#include "malloc/large_blocks.hpp"

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
  std::map<const void*, std::size_t> all;  // its nodes are small blocks
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

}  // namespace

void* large_blocks::make(std::size_t bytes, std::size_t alignment) noexcept {
  bytes = whole_pages(bytes);
  void* const data = bytes == 0 ? nullptr : map(bytes, alignment);
  if (data == nullptr) return nullptr;
  place_fresh(data, bytes);
  try {
    block_list& known = the_blocks();
    const std::lock_guard hold(known.mutex);
    known.all.emplace(data, bytes);
  } catch (const std::bad_alloc&) {
    munmap(data, bytes);
    return nullptr;
  }
  classes.of(data).fetch_add(1, std::memory_order_relaxed);
  all_bytes.fetch_add(bytes, std::memory_order_relaxed);
  return data;
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
  munmap(data, gone.mapped());
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
