#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "jackdaw/detail/atomics.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Lets items into a stage one at a time, in the order of their numbers 0, 1, ... No caller ever waits.
///
/// Item n and the turn n meet in cell n % tokens. Each of the two comes once: the item when it arrives, the turn when
/// item n - 1 leaves. The one that comes second takes item n into the stage. A cell is
///
/// - empty: neither has come;
/// - the turn: item n - 1 has left, so item n will enter when it arrives;
/// - an item: it is parked until item n - 1 leaves.
///
/// Cells do not collide. At most `tokens` items are under way. Item n cannot end before the items in front of it have
/// passed the stage, so those that have not passed it are consecutive and at most `tokens`. When item n arrives, item
/// n - tokens has therefore passed, and its cell was made empty before that.
template <class P, class Item>
class basic_turns {
 public:
  /// It is the turn of item 0.
  explicit basic_turns(std::size_t tokens) : cells_(new cell[tokens]{}), tokens_(tokens) {
    cells_[0].store(turn, std::memory_order_relaxed);
  }

  /// True: the caller takes the item into the stage. False: the item is parked, and the caller must not touch it.
  bool arrive(Item* item) noexcept { return meet(item->number, reinterpret_cast<std::uintptr_t>(item)) == turn; }

  /// The caller's item has left the stage. Returns the next one if it is parked; the caller takes it into the stage.
  Item* leave(const Item* item) noexcept { return reinterpret_cast<Item*>(meet(item->number + 1, turn)); }

 private:
  using cell = typename P::template atomic<std::uintptr_t>;
  static constexpr std::uintptr_t empty = 0;
  static constexpr std::uintptr_t turn = 1;

  /// Returns what was there before; empty if the caller is the first of the two.
  std::uintptr_t meet(std::uint64_t number, std::uintptr_t mine) noexcept {
    cell& at = cells_[static_cast<std::size_t>(number % tokens_)];
    // Release: the second sees the item, or what was done in the stage before. Acquire: the second's side of it.
    const std::uintptr_t other = at.exchange(mine, std::memory_order_acq_rel);
    // Relaxed: the cell's next use comes after the item has left the stage, and whatever tells of that is a release.
    if (other != empty) at.store(empty, std::memory_order_relaxed);
    return other;
  }

  std::unique_ptr<cell[]> cells_;
  std::size_t tokens_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
