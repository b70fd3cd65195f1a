#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "machine/prefetch.hpp"
#include "sim/memory/zero_memory.hpp"

namespace jackdaw::sim {

/// Returns the number of lines in a mask. std::popcount is a call if the compiler may not use the instruction.
constexpr unsigned count_lines(std::uint64_t lines) noexcept {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  lines -= lines >> 1 & ones / 3;
  lines = (lines & ones / 15 * 3) + (lines >> 2 & ones / 15 * 3);
  lines = (lines + (lines >> 4)) & ones / 255 * 15;
  return static_cast<unsigned>(lines * (ones / 255) >> 56);
}

/// One cache. When the resident lines of all blocks exceed its capacity, the least recently used block is evicted. A
/// block may be resident in part; only its resident lines count. Its tables have room for as many blocks as are whole,
/// and grow when more are there in part.
class cache {
 public:
  static constexpr std::uint64_t line = 64;  ///< bytes

  struct entry {
    std::uint64_t lines = 0;  ///< those that are resident, bit i for the block's i-th; not 0 between two calls
    std::uint64_t dirty = 0;  ///< those of them that are newer than in memory
    std::uint32_t block = 0;
    std::uint32_t newer = 0;  ///< neighbours in the order of use
    std::uint32_t older = 0;
  };

  /// `capacity` in bytes; if it is 0, nothing is kept. `block` is the size of a whole block in bytes. The tables are
  /// taken from `memory`, which must have footprint(capacity, block) bytes left and outlive the cache. They grow into
  /// `more` while it has room, which must outlive it too; then, or if it is null, into memory of their own.
  cache(std::uint64_t capacity, std::uint64_t block, zero_memory& memory, zero_memory* more = nullptr);
  cache(const cache&) = delete;
  cache& operator=(const cache&) = delete;
  cache(cache&&) = default;
  cache& operator=(cache&&) = default;
  ~cache() = default;
  /// Returns the size of the tables that such a cache begins with, in bytes.
  static std::size_t footprint(std::uint64_t capacity, std::uint64_t block);
  /// Returns the bytes that its tables have taken since, because it has blocks that are resident in part.
  std::size_t grown() const noexcept { return grown_; }

  bool exists() const noexcept { return capacity_ > 0; }
  std::uint64_t capacity() const noexcept { return capacity_ * line; }
  /// Returns the resident bytes: at most capacity(), except between add or fill and the evictions that must follow.
  std::uint64_t resident() const noexcept { return resident_ * line; }
  bool overfull() const noexcept { return resident_ > capacity_; }

  /// Returns the block's entry, or null. Does not count as a use of the block.
  entry* find(std::uint32_t block) noexcept {
    if (!exists()) return nullptr;
    for (std::uint32_t slot = home(block);; slot = (slot + 1) & mask_) {
      if (slots_[slot].entry == 0) return nullptr;
      if (slots_[slot].block == block) return &entries_[slots_[slot].entry];
    }
  }
  const entry* find(std::uint32_t block) const noexcept { return const_cast<cache*>(this)->find(block); }
  /// Prefetch what find(block) will read: call first this one, then, a little later, the other.
  void prefetch_slot(std::uint32_t block) const noexcept {
    if (exists()) detail::prefetch(&slots_[home(block)]);
  }
  void prefetch_entry(std::uint32_t block) const noexcept {
    if (exists()) detail::prefetch(&entries_[slots_[home(block)].entry]);
  }
  /// The same for what use(entry) and drop(entry) will read, once the block's entry has been prefetched.
  void prefetch_neighbours(std::uint32_t block) const noexcept {
    if (!exists()) return;
    const entry& at = entries_[slots_[home(block)].entry];
    detail::prefetch(&entries_[at.newer]);
    detail::prefetch(&entries_[at.older]);
  }
  /// A scout walks along the blocks that are evicted next, some evictions ahead, and prefetches what evict will read.
  /// Its position affects no result. If blocks are used or dropped meanwhile, it may go astray, which only costs time.
  void start_scout() noexcept { scout_ = exists() ? entries_[0].newer : 0; }
  /// Advances the scout by one block and returns the block that it leaves.
  std::uint32_t scout() noexcept {
    const entry& at = entries_[scout_];
    scout_ = at.newer;
    detail::prefetch(&entries_[scout_]);
    prefetch_slot(at.block);
    return at.block;
  }
  /// Returns the block that is evicted next, if there is one.
  std::uint32_t oldest() const noexcept { return entries_[entries_[0].newer].block; }

  /// Adds an entry without lines, most recently used. Requires that the block is not resident and that overfull() is
  /// false. The caller fills the entry.
  entry& add(std::uint32_t block);
  /// Makes lines of the block resident.
  void fill(entry& at, std::uint64_t lines) noexcept {
    resident_ += count_lines(lines & ~at.lines);
    at.lines |= lines;
  }
  /// Makes the block the most recently used one.
  void use(entry& at) noexcept {
    const auto index = static_cast<std::uint32_t>(&at - entries_.data());
    if (entries_[0].older == index) return;
    unlink(at);
    link(index);
  }
  /// Removes lines, dirty or not, and with the last line the entry. True if the block is still resident.
  bool drop(entry& at, std::uint64_t lines) noexcept;
  /// Removes the least recently used block. The cache must not be empty.
  entry evict() noexcept;

  /// Calls f(const entry&) for every block, the most recently used one first.
  template <class F>
  void for_each(F&& f) const {
    for (std::uint32_t at = exists() ? entries_[0].older : 0; at != 0; at = entries_[at].older) f(entries_[at]);
  }

  /// Throws std::logic_error if it exceeds its capacity or has a block twice, or if its table, its list and its count
  /// disagree.
  void check() const;

 private:
  struct slot {
    std::uint32_t block = 0;
    std::uint32_t entry = 0;  ///< index into entries_, 0: free
  };

  /// Neighbouring blocks lie side by side in groups of eight, one line of the host's cache.
  std::uint32_t home(std::uint32_t block) const noexcept {
    return ((((block >> 3) * 0x9E3779B1U) >> shift_) << 3) | (block & 7);
  }
  template <class T>
  std::span<T> take_more(std::size_t count, std::unique_ptr<zero_memory>& own);
  void use_slots(std::uint64_t count);
  void grow_entries();
  void insert(std::uint32_t block, std::uint32_t index) noexcept {
    std::uint32_t slot = home(block);
    while (slots_[slot].entry != 0) slot = (slot + 1) & mask_;
    slots_[slot] = {block, index};
  }
  void link(std::uint32_t index) noexcept;
  void unlink(const entry& at) noexcept {
    entries_[at.newer].older = at.older;
    entries_[at.older].newer = at.newer;
  }
  void remove(entry& at) noexcept;

  std::uint64_t capacity_;      ///< lines
  std::uint64_t resident_ = 0;  ///< lines
  std::uint32_t blocks_ = 0;
  std::uint32_t mask_ = 0;  ///< slots in use - 1
  unsigned shift_ = 0;
  std::uint32_t scout_ = 0;
  std::uint32_t fresh_ = 1;   ///< entries from here on were never used
  std::uint32_t free_ = 0;    ///< first of the entries that were freed, chained by `older`
  std::span<entry> entries_;  ///< 0 is the list's end: its `older` is the newest block, its `newer` the oldest
  std::span<slot> slots_;     ///< open addressing, linear probing
  zero_memory* more_;         ///< for growth; null: none
  std::size_t grown_ = 0;     ///< bytes
  std::unique_ptr<zero_memory> own_entries_;  ///< where entries_ are, once they have grown and more_ had no room
  std::unique_ptr<zero_memory> own_slots_;    ///< the same for slots_
};

}  // namespace jackdaw::sim
