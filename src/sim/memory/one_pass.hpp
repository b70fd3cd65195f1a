#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "sim/memory/address_space.hpp"

namespace jackdaw::sim {

/// Orders the accesses of a leaf. A loop that updates data in place reads and writes them in one pass, and so fetches
/// them once, however its accesses are declared. So accesses whose ranges overlap are made together, in the order of
/// addresses, reads first. The others stay in their order.
class one_pass {
 public:
  /// Calls f(first byte, length, whether it writes) for all rows, or for parts of them.
  template <class F>
  void for_each_row(std::span<const dense_access> accesses, F f) {
    find_groups(accesses);
    for (const group& each : groups_) {
      if (each.count > 1) {
        take_turns(accesses, each, f);
      } else {
        const dense_access& alone = accesses[each.earliest];
        for (std::uint64_t row = 0; row < alone.rows; ++row)
          f(alone.first + row * alone.stride, alone.length, alone.write);
      }
    }
  }

  /// Returns the size of its arrays in bytes.
  std::size_t footprint() const noexcept;

 private:
  /// Accesses that are made together take turns after so many bytes: at least a block, and less than the private caches
  /// of real machines.
  static constexpr std::uint64_t piece = 4096;

  /// Accesses that touch [first, end) together; alone if `count` is 1.
  struct group {
    std::uint64_t end = 0;
    std::size_t count = 0;
    std::size_t earliest = 0;  ///< the smallest index of them
    std::size_t begin = 0;     ///< where they stand in by_address_
  };
  /// How far an access has been made: up to `first` in its row.
  struct cursor {
    std::uint64_t first = 0, end = 0;
    std::uint64_t row = 0;
    std::size_t index = 0;
    bool write = false;
  };

  void find_groups(std::span<const dense_access> accesses);
  static bool comes_later(const cursor& a, const cursor& b) noexcept {
    return std::tie(a.first, a.write, a.index) > std::tie(b.first, b.write, b.index);
  }

  template <class F>
  void take_turns(std::span<const dense_access> accesses, const group& which, F& f) {
    under_way_.clear();
    for (std::size_t at = which.begin; at < which.begin + which.count; ++at) {
      const std::size_t index = by_address_[at];
      const dense_access& of = accesses[index];
      under_way_.push_back({.first = of.first, .end = of.first + of.length, .index = index, .write = of.write});
    }
    std::ranges::make_heap(under_way_, comes_later);
    while (!under_way_.empty()) {
      std::ranges::pop_heap(under_way_, comes_later);
      cursor& next = under_way_.back();
      const dense_access& of = accesses[next.index];
      const std::uint64_t end = std::min(next.end, (next.first / piece + 1) * piece);
      f(next.first, end - next.first, next.write);
      next.first = end;
      if (end == next.end) {
        if (++next.row == of.rows) {
          under_way_.pop_back();
          continue;
        }
        next.first = of.first + next.row * of.stride;
        next.end = next.first + of.length;
      }
      std::ranges::push_heap(under_way_, comes_later);
    }
  }

  std::vector<std::size_t> by_address_;
  std::vector<group> groups_;
  std::vector<cursor> under_way_;  ///< a heap
};

}  // namespace jackdaw::sim
