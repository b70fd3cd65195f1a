#include "jackdaw/memory/scratch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <utility>

#include "jackdaw/error.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/process.hpp"

namespace jackdaw {
namespace {

/// Pages on one node, never less than a placed_resource maps by itself; or from operator new, where the process may not
/// use the node's memory.
class pages final : public std::pmr::memory_resource {
 public:
  static constexpr std::size_t least = placed_resource::large;

  explicit pages(unsigned node) : on_node_(placement::on(node)) {
    try {
      on_node_.deallocate(on_node_.allocate(least), least);
    } catch (const error&) {
      usable_ = false;
    }
  }
  std::size_t taken() const noexcept { return taken_; }

 private:
  static std::size_t rounded(std::size_t bytes) noexcept { return bytes < least ? least : bytes; }
  std::pmr::memory_resource& source() noexcept {
    if (usable_) return on_node_;
    return *std::pmr::new_delete_resource();
  }
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* const at = source().allocate(rounded(bytes), alignment);
    taken_ += rounded(bytes);
    return at;
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    source().deallocate(at, rounded(bytes), alignment);
    taken_ -= rounded(bytes);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  placed_resource on_node_;
  bool usable_ = true;
  std::size_t taken_ = 0;  // guarded by the pool's lock
};

constexpr std::size_t smallest = 16, largest_kept = std::size_t{4} << 20, page = 4096;

/// The lists are of blocks of 16 B, 32 B and so on.
constexpr std::size_t list_of(std::size_t bytes) noexcept {
  return static_cast<std::size_t>(std::bit_width((bytes - 1) / smallest));
}
constexpr std::size_t size_of(std::size_t list) noexcept { return smallest << list; }

/// Memory of one node for some of its workers. Blocks take a power of two each, and each power has a list of those that
/// are free. Not a std::pmr pool: that of libstdc++ 12 crashes after it was refused memory, and ignores an alignment
/// that the size is no multiple of.
class pool final : public std::pmr::memory_resource {
 public:
  explicit pool(unsigned node) : pages_(node) {}

  /// In the child of a fork(), where the lock may be held by a thread that does not exist there.
  bool of_parent() const noexcept { return made_in_ != detail::process::generation(); }

  std::size_t release() noexcept {
    if (of_parent()) return 0;
    const std::lock_guard hold(mutex_);
    if (in_use_ != 0) return 0;
    const std::size_t before = pages_.taken();
    chunks_.release();
    for (std::size_t i = 0; i != free_.size(); ++i) {
      block* first = std::exchange(free_[i], nullptr);
      while (first != nullptr && size_of(i) >= pages::least) {
        pages_.deallocate(std::exchange(first, first->next), size_of(i), page);
      }
    }
    return before - pages_.taken();
  }

 private:
  struct block {
    block* next;
  };
  static constexpr std::size_t most(std::size_t bytes, std::size_t alignment) noexcept {
    return std::max({bytes, alignment, std::size_t{1}});
  }
  static bool is_kept(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes <= largest_kept && alignment <= page;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (most(bytes, alignment) > std::numeric_limits<std::size_t>::max() / 4) throw std::bad_alloc();
    if (of_parent()) return std::pmr::new_delete_resource()->allocate(bytes, alignment);  // never freed: see below
    const std::lock_guard hold(mutex_);
    void* const at =
        is_kept(bytes, alignment) ? take(list_of(most(bytes, alignment))) : pages_.allocate(bytes, alignment);
    ++in_use_;
    return at;
  }
  void* take(std::size_t list) {
    if (block*& first = free_[list]; first != nullptr) return std::exchange(first, first->next);
    const std::size_t bytes = size_of(list);
    if (bytes >= pages::least) return pages_.allocate(bytes, page);
    return chunks_.allocate(bytes, std::min(bytes, page));
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    if (of_parent()) return;  // whose it is cannot be told
    const std::lock_guard hold(mutex_);
    --in_use_;
    if (!is_kept(bytes, alignment)) return pages_.deallocate(at, bytes, alignment);
    block*& first = free_[list_of(most(bytes, alignment))];
    first = ::new (at) block{first};
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const std::uint32_t made_in_ = detail::process::generation();
  std::mutex mutex_;
  // Guarded by the mutex. Nothing under it forks.
  pages pages_;
  std::pmr::monotonic_buffer_resource chunks_{&pages_};  // of blocks that are smaller than `pages` gives
  std::size_t in_use_ = 0;                               // allocations
  std::array<block*, list_of(largest_kept) + 1> free_{};
};

constexpr std::size_t shares = 16, most_nodes = 1024;

/// By the system's number of the node, and the worker's. Pools are made when they are first asked for, and never
/// destroyed: memory from them may be anywhere.
constinit std::array<std::array<std::atomic<pool*>, shares>, most_nodes> pools{};

pool* pool_at(std::atomic<pool*>& place, unsigned node) {
  // Acquire, with the release below: sees the pool whole. A pool of this process's parent is left to its memory.
  pool* known = place.load(std::memory_order_acquire);
  if (known != nullptr && !known->of_parent()) return known;
  auto made = std::make_unique<pool>(node);
  if (place.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) return made.release();
  return known;
}

}  // namespace

std::pmr::memory_resource& scratch() {
  const unsigned node = this_node().value_or(0);
  return *pool_at(pools[node % most_nodes][this_worker().value_or(0) % shares], node);
}

std::size_t release_scratch() noexcept {
  std::size_t bytes = 0;
  for (auto& of_node : pools) {
    for (std::atomic<pool*>& each : of_node) {
      if (pool* const known = each.load(std::memory_order_acquire)) bytes += known->release();
    }
  }
  return bytes;
}

}  // namespace jackdaw
