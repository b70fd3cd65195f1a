#include "malloc/node_heaps.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "malloc/kernel_calls.hpp"

namespace jackdaw::malloc {
namespace {

/// mimalloc wants this alignment of memory that it is to manage.
constexpr std::size_t arena_step = std::size_t{1} << 26;

/// Node's range of addresses. It is never given back.
struct arena {
  std::atomic<bool> asked{false};
  bool there = false;
  mi_arena_id_t id{};
};

struct arenas {
  std::mutex mutex;
  arena of[node_heaps::most_nodes];
};
constinit arenas all;

/// Of the calling thread. Without constructor or destructor, because threads allocate before and after these run.
struct thread_heaps {
  int node;  // 1 more than its number; 0: none
  mi_heap_t* now;
  mi_heap_t* of[node_heaps::most_nodes];
};
// A preloaded library has its variables in the static block: reading them calls nothing.
[[gnu::tls_model("initial-exec")]] constinit thread_local thread_heaps self{};

/// As many addresses as the computer has memory: the node has no more.
std::size_t arena_bytes() noexcept {
  const auto pages = static_cast<std::size_t>(std::max(1L, sysconf(_SC_PHYS_PAGES)));
  const std::size_t bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + arena_step - 1) / arena_step * arena_step;
}

void make(arena& made, int node) noexcept {
  const std::size_t bytes = arena_bytes();
  void* const mapped = mmap(nullptr, bytes + arena_step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  const auto at = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t begin = (at + arena_step - 1) / arena_step * arena_step;
  if (begin > at) munmap(mapped, begin - at);
  auto* const data = static_cast<std::byte*>(mapped) + (begin - at);
  munmap(data + bytes, arena_step - (begin - at));
  // Should the kernel refuse it, the first touch by the thread that allocates decides, whose policy prefers the node.
  static_cast<void>(prefer_node(data, bytes, static_cast<unsigned>(node)));
  made.there = mi_manage_os_memory_ex(data, bytes, false, false, true, -1, true, &made.id);
}

/// Null: there is none.
mi_heap_t* make_heap(int node) noexcept {
  arena& its = all.of[node];
  if (!its.asked.load(std::memory_order_acquire)) {
    const std::lock_guard hold(all.mutex);
    if (!its.asked.load(std::memory_order_relaxed)) {
      make(its, node);
      its.asked.store(true, std::memory_order_release);  // with what was made
    }
  }
  return its.there ? mi_heap_new_in_arena(its.id) : nullptr;
}

}  // namespace

void node_heaps::choose(int node) noexcept {
  if (node >= most_nodes) node = -1;
  self.node = node + 1;
  self.now = nullptr;
  if (node < 0) return;
  if (self.of[node] == nullptr) self.of[node] = make_heap(node);
  self.now = self.of[node];
}

int node_heaps::chosen() noexcept { return self.node - 1; }

mi_heap_t* node_heaps::current() noexcept { return self.now != nullptr ? self.now : mi_heap_get_default(); }

}  // namespace jackdaw::malloc
