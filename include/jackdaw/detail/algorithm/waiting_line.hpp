#pragma once

#include <cstdint>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Lets items into a stage one at a time, roughly in the order in which they arrive. No caller ever waits.
///
/// The head is
///
/// - idle: no item is in the stage, and none is parked;
/// - busy: an item is in the stage;
/// - an item: besides, this one and those linked behind it are parked, the latest first.
///
/// Only an arriving item turns idle into busy, and only the item in the stage does the reverse. What the latter took
/// off the head and has not let in yet is in `taken_`, which belongs to it.
template <class P, class Item>
class basic_waiting_line {
 public:
  /// True: the caller takes the item into the stage. False: the item is parked, and the caller must not touch it.
  bool arrive(Item* item) noexcept {
    std::uintptr_t seen = head_.load(std::memory_order_relaxed);
    for (;;) {
      if (seen == idle) {
        // Acquire: what the last item has done in the stage.
        if (head_.compare_exchange_strong(seen, busy, std::memory_order_acquire, std::memory_order_relaxed))
          return true;
      } else {
        item->next = seen == busy ? nullptr : reinterpret_cast<Item*>(seen);
        // Release: the item, for the one that takes it.
        if (head_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(item), std::memory_order_release,
                                          std::memory_order_relaxed))
          return false;
      }
    }
  }

  /// The caller's item has left the stage. Returns a parked one, which the caller takes into the stage.
  Item* leave() noexcept {
    Item* first = taken_.load(std::memory_order_relaxed);
    if (first == nullptr) {
      std::uintptr_t seen = busy;
      // Release: what was done in the stage.
      if (head_.compare_exchange_strong(seen, idle, std::memory_order_release, std::memory_order_relaxed))
        return nullptr;
      // Acquire: the items, which others have written. What the stage did stays with the caller.
      auto* latest = reinterpret_cast<Item*>(head_.exchange(busy, std::memory_order_acquire));
      do {  // there is one at least
        Item* const earlier = latest->next;
        latest->next = first;
        first = latest;
        latest = earlier;
      } while (latest != nullptr);
    }
    taken_.store(first->next, std::memory_order_relaxed);
    return first;
  }

 private:
  static constexpr std::uintptr_t idle = 0;
  static constexpr std::uintptr_t busy = 1;

  typename P::template atomic<std::uintptr_t> head_{idle};
  // The earliest first. Relaxed: it is the caller's; the head and the forks order it. Atomic for the models.
  typename P::template atomic<Item*> taken_{nullptr};
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
