#include "sim/memory/cache.hpp"

#include <algorithm>
#include <bit>
#include <jackdaw/error.hpp>
#include <limits>
#include <stdexcept>
#include <string>

namespace jackdaw::sim {
namespace {

/// Returns how many slots are needed for at most half of them to be taken.
std::uint64_t slots_for(std::uint64_t blocks) { return std::max<std::uint64_t>(64, std::bit_ceil(2 * blocks)); }

/// Each resident block has a resident line, so there are at most as many blocks as lines, and one that is being added.
/// Entry 0 is no block.
std::uint64_t entries_for(std::uint64_t blocks) { return blocks + 2; }

/// Returns how many whole blocks fit, at least one.
std::uint64_t whole_blocks(std::uint64_t lines, std::uint64_t block) {
  return std::max<std::uint64_t>(1, lines * cache::line / block);
}

}  // namespace

cache::cache(std::uint64_t capacity, std::uint64_t block, zero_memory& memory, zero_memory* more)
    : capacity_(capacity / line), more_(more) {
  if (!exists()) return;
  if (capacity_ >= std::numeric_limits<std::uint32_t>::max() / 4)
    throw error("a cache of " + std::to_string(capacity) + " bytes: expected less than 64 GiB");
  const std::uint64_t whole = whole_blocks(capacity_, block);
  entries_ = memory.take<entry>(entries_for(whole));
  slots_ = memory.take<slot>(slots_for(whole));
  use_slots(slots_for(whole));
}

std::size_t cache::footprint(std::uint64_t capacity, std::uint64_t block) {
  const std::uint64_t lines = capacity / line;
  if (lines == 0) return 0;
  const std::uint64_t whole = whole_blocks(lines, block);
  return zero_memory::size_of<entry>(entries_for(whole)) + zero_memory::size_of<slot>(slots_for(whole));
}

/// Returns a table for growth. What it replaces in `own` is freed, what it replaces in more_ is left unused.
template <class T>
std::span<T> cache::take_more(std::size_t count, std::unique_ptr<zero_memory>& own) {
  const std::size_t bytes = zero_memory::size_of<T>(count);
  grown_ += bytes;
  if (more_ != nullptr && more_->left() >= bytes) return more_->take<T>(count);
  if (own) grown_ -= own->size();
  own = std::make_unique<zero_memory>(bytes);
  return own->take<T>(count);
}

/// Uses `count` slots, a power of two, from now on, and inserts all resident blocks into them.
void cache::use_slots(std::uint64_t count) {
  if (slots_.size() < count) slots_ = take_more<slot>(count, own_slots_);
  mask_ = static_cast<std::uint32_t>(count - 1);
  shift_ = 32 - static_cast<unsigned>(std::countr_zero(count / 8));
  for_each([this](const entry& at) { insert(at.block, static_cast<std::uint32_t>(&at - entries_.data())); });
}

/// Doubles the entries. Their numbers stay.
void cache::grow_entries() {
  const std::size_t count = std::min<std::uint64_t>(2 * entries_.size(), entries_for(capacity_));
  std::unique_ptr<zero_memory> replaced = std::move(own_entries_);  // until its entries are copied
  const std::span<entry> larger = take_more<entry>(count, own_entries_);
  if (replaced) grown_ -= replaced->size();
  std::copy(entries_.begin(), entries_.end(), larger.begin());
  entries_ = larger;
}

void cache::link(std::uint32_t index) noexcept {
  entry& at = entries_[index];
  at.newer = 0;
  at.older = entries_[0].older;
  entries_[at.older].newer = index;
  entries_[0].older = index;
}

cache::entry& cache::add(std::uint32_t block) {
  if (free_ == 0 && fresh_ == entries_.size()) grow_entries();
  if (2 * (++blocks_) > mask_ + 1) use_slots(2 * (std::uint64_t{mask_} + 1));
  std::uint32_t index = free_;
  if (index != 0) {
    free_ = entries_[index].older;
  } else {
    index = fresh_++;
  }
  insert(block, index);
  entries_[index] = {.lines = 0, .dirty = 0, .block = block, .newer = 0, .older = 0};
  link(index);
  return entries_[index];
}

void cache::remove(entry& at) noexcept {
  const auto index = static_cast<std::uint32_t>(&at - entries_.data());
  unlink(at);
  --blocks_;
  std::uint32_t hole = home(at.block);
  while (slots_[hole].entry != index) hole = (hole + 1) & mask_;
  // An entry that was pushed past the hole moves into it, so that no search for it ends too early.
  for (std::uint32_t next = (hole + 1) & mask_; slots_[next].entry != 0; next = (next + 1) & mask_) {
    if (((next - home(slots_[next].block)) & mask_) < ((next - hole) & mask_)) continue;
    slots_[hole] = slots_[next];
    hole = next;
  }
  slots_[hole] = {};
  at.older = free_;
  free_ = index;
}

bool cache::drop(entry& at, std::uint64_t lines) noexcept {
  resident_ -= count_lines(at.lines & lines);
  at.lines &= ~lines;
  at.dirty &= ~lines;
  if (at.lines != 0) return true;
  remove(at);
  return false;
}

cache::entry cache::evict() noexcept {
  entry& oldest = entries_[entries_[0].newer];
  const entry copy = oldest;
  resident_ -= count_lines(oldest.lines);
  remove(oldest);
  return copy;
}

void cache::check() const {
  if (!exists()) return;
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("cache: ") + what);
  };
  require(resident_ <= capacity_, "holds more than it can");
  std::uint64_t lines = 0;
  std::uint64_t blocks = 0;
  std::uint32_t newer = 0;
  for_each([&](const entry& at) {
    ++blocks;
    lines += count_lines(at.lines);
    require(blocks < entries_.size(), "its order of use goes round");
    require(at.newer == newer, "its order of use is broken");
    require(at.lines != 0, "a block without lines");
    require((at.dirty & ~at.lines) == 0, "a line is dirty and not there");
    require(find(at.block) == &at, "a block is there twice or not found");
    newer = static_cast<std::uint32_t>(&at - entries_.data());
  });
  require(lines == resident_, "its count of lines is wrong");
  require(blocks == blocks_, "its count of blocks is wrong");
  const auto end = slots_.begin() + static_cast<std::ptrdiff_t>(mask_) + 1;
  const auto taken = std::count_if(slots_.begin(), end, [](const slot& at) { return at.entry != 0; });
  require(static_cast<std::uint64_t>(taken) == blocks, "its table has another number of blocks than its list");
}

}  // namespace jackdaw::sim
