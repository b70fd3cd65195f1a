#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "jackdaw/machine.hpp"
#include "sched/item_queue.hpp"

namespace jackdaw::detail {

/// Pools of tasks that should run near some memory: one for each domain, which is the workers of one memory node. The
/// pools are below the schedulers, which know nothing of them. Which worker takes which task when, and why none sleeps
/// while a task waits: src/runtime/README-near.md.
class near_pools {
 public:
  using domain = std::uint32_t;

  near_pools(const machine& where, const std::vector<worker_place>& places);

  /// Returns the domain nearest to a memory node, given by the system's number; none if there is only one domain, or
  /// several are equally near, or there is no such node.
  std::optional<domain> nearest(unsigned os_node) const noexcept;
  /// Throws error if there is no such node; with `workers` also if the node has processors and no worker of its own.
  void check(unsigned os_node, bool workers) const;
  domain of(std::uint32_t worker) const noexcept { return home_[worker]; }
  /// Returns the number of the domain's first worker.
  std::uint32_t first_of(domain which) const noexcept { return pools_[which].first; }

  /// Throws std::bad_alloc.
  void put(domain to, sched::item what);
  /// Takes from the worker's own domain the newest task. If several roots are under way (`shared`), it takes the
  /// oldest: otherwise the tasks of one root would wait as long as others send new ones.
  sched::item take_own(std::uint32_t worker, bool shared) noexcept { return take_own(pools_[home_[worker]], shared); }
  /// Takes from another domain: the oldest task of the nearest one that has any.
  sched::item take_other(std::uint32_t worker) noexcept;
  /// Returns how many tasks wait in all pools.
  std::int64_t waiting() const noexcept { return waiting_.load(std::memory_order_seq_cst); }

 private:
  struct alignas(64) pool {
    std::uint32_t first = 0;           // worker
    unsigned node = 0;                 // index
    std::vector<domain> others;        // nearest first
    std::atomic<std::size_t> size{0};  // of items; read without the lock
    std::mutex mutex;
    sched::item_queue items;
  };
  struct node {
    unsigned os = 0;
    bool served = false;            // it has workers of its own, or no processors
    std::optional<domain> nearest;  // if one domain is nearest
  };

  /// If the oldest come first, a tree whose tasks all have wishes grows in breadth; beyond this number it grows in
  /// depth.
  static constexpr std::size_t most_in_order = 4096;

  sched::item take_own(pool& own, bool shared) noexcept {
    const bool in_order = shared && own.size.load(std::memory_order_relaxed) <= most_in_order;
    return take(own, in_order ? sched::pool_end::front : sched::pool_end::back);
  }
  sched::item take(pool& from, sched::pool_end where) noexcept;
  const node* find(unsigned os_node) const noexcept;

  std::uint32_t count_ = 0;  // of domains
  std::unique_ptr<pool[]> pools_;
  std::vector<domain> home_;  // by worker
  std::vector<node> nodes_;   // in the machine's order
  alignas(64) std::atomic<std::int64_t> waiting_{0};
};

}  // namespace jackdaw::detail
