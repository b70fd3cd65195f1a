#include "jackdaw/memory/scratch.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

#include "base/immortal.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/memory/placed_resource.hpp"
#include "jackdaw/memory/this_node.hpp"
#include "jackdaw/runtime.hpp"
#include "runtime/process.hpp"

namespace jackdaw {
namespace {

constexpr std::size_t largest_small = std::size_t{32} << 10, largest_kept = std::size_t{4} << 20;

/// Memory of one node for some of its workers.
class pool final : public std::pmr::memory_resource {
 public:
  explicit pool(unsigned node) : pages_(placement::on(node)) {
    try {
      pages_.deallocate(pages_.allocate(1), 1);
      from_ = &pages_;
    } catch (const error&) {
      from_ = std::pmr::new_delete_resource();  // the process may not use that node
    }
    small_.emplace(std::pmr::pool_options{.max_blocks_per_chunk = 16, .largest_required_pool_block = largest_small},
                   from_);
    large_.emplace(std::pmr::pool_options{.max_blocks_per_chunk = 1, .largest_required_pool_block = largest_kept},
                   from_);
  }

  /// In the child of a fork(), where the lock may be held by a thread that does not exist there.
  bool of_parent() const noexcept { return made_in_ != detail::process::generation(); }

  std::size_t release() noexcept {
    if (of_parent()) return 0;
    const std::lock_guard hold(mutex_);
    if (in_use_ != 0) return 0;
    const std::size_t before = pages_.taken();
    small_->release();
    large_->release();
    return before - pages_.taken();
  }

 private:
  std::pmr::memory_resource& kept(std::size_t bytes) noexcept { return bytes <= largest_small ? *small_ : *large_; }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (of_parent()) return std::pmr::new_delete_resource()->allocate(bytes, alignment);  // never freed: see below
    const std::lock_guard hold(mutex_);
    void* const at = kept(bytes).allocate(bytes, alignment);
    ++in_use_;
    return at;
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    if (of_parent()) return;  // whose it is cannot be told
    const std::lock_guard hold(mutex_);
    kept(bytes).deallocate(at, bytes, alignment);
    --in_use_;
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const std::uint32_t made_in_ = detail::process::generation();
  placed_resource pages_;
  std::mutex mutex_;
  std::size_t in_use_ = 0;  // allocations
  std::pmr::memory_resource* from_ = nullptr;
  std::optional<std::pmr::unsynchronized_pool_resource> small_, large_;  // of chunks of 16 blocks, and of one
};

constexpr std::size_t shares = 16, most_nodes = 1024;

/// By the system's number of the node, and the worker's. Pools are made when they are first asked for, and never
/// destroyed: memory from them may be anywhere.
using pools = std::array<std::array<std::atomic<pool*>, shares>, most_nodes>;
detail::immortal<pools> all;

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
  const unsigned node = this_node().value_or(0) % most_nodes;
  return *pool_at(all.it[node][this_worker().value_or(0) % shares], node);
}

std::size_t release_scratch() noexcept {
  std::size_t bytes = 0;
  for (auto& of_node : all.it) {
    for (std::atomic<pool*>& each : of_node) {
      if (pool* const known = each.load(std::memory_order_acquire)) bytes += known->release();
    }
  }
  return bytes;
}

}  // namespace jackdaw
