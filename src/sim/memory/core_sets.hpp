#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::sim {

/// Exact sets of cores. Each is one word that the caller keeps, 0 while the set is empty. On machines of up to 64 cores
/// the word has a bit for each core. On larger ones it has the numbers of up to four cores, or says where in a table,
/// common to all sets, the bits of a set of more cores are.
class core_sets {
 public:
  using set = std::uint64_t;

  /// For cores 0 to cores - 1, at most 65533.
  explicit core_sets(unsigned cores) : many_(cores > bits), words_((cores + bits - 1) / bits) {}

  void add(set& to, unsigned core) {
    if (!many_) {
      to |= set{1} << core;
    } else if (!is_tabled(to)) {
      add_number(to, core);
    } else {
      std::uint64_t& word = row(to)[1 + core / bits];
      const std::uint64_t bit = std::uint64_t{1} << core % bits;
      row(to)[0] += (word & bit) == 0 ? 1 : 0;
      word |= bit;
    }
  }

  void remove(set& from, unsigned core) {
    if (!many_) {
      from &= ~(set{1} << core);
    } else if (!is_tabled(from)) {
      for (unsigned at = 0; at < numbers; ++at)
        if (number(from, at) == core + 1) from = without(from, at--);
    } else {
      std::uint64_t* const of = row(from);
      const std::uint64_t bit = std::uint64_t{1} << core % bits;
      if ((of[1 + core / bits] & bit) == 0) return;
      of[1 + core / bits] &= ~bit;
      if (--of[0] <= few) leave_table(from);
    }
  }

  bool has(set of, unsigned core) const noexcept {
    return any_of(of, [core](unsigned each) { return each == core; });
  }

  /// Returns whether f(core) is true for a core of the set; calls it until it is.
  template <class F>
  bool any_of(set of, F&& f) const {
    if (many_ && !is_tabled(of)) {
      for (; of != 0; of >>= width)
        if (f(static_cast<unsigned>(of & mask) - 1)) return true;
      return false;
    }
    const std::uint64_t* const words = many_ ? row(of) + 1 : &of;
    for (unsigned word = 0; word < words_; ++word)
      for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1)
        if (f(word * bits + static_cast<unsigned>(std::countr_zero(rest)))) return true;
    return false;
  }

  /// Calls f(core) for each core of the set, and removes those for which it is false.
  template <class F>
  void keep(set& of, F&& f) {
    if (many_ && !is_tabled(of)) {
      for (unsigned at = 0; at < numbers && number(of, at) != 0;) {
        if (f(number(of, at) - 1)) {
          ++at;
        } else {
          of = without(of, at);
        }
      }
      return;
    }
    std::uint64_t* const words = many_ ? row(of) + 1 : &of;
    unsigned removed = 0;
    for (unsigned word = 0; word < words_; ++word) {
      for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1) {
        if (f(word * bits + static_cast<unsigned>(std::countr_zero(rest)))) continue;
        words[word] &= ~(rest & -rest);
        ++removed;
      }
    }
    if (many_ && (words[-1] -= removed) <= few) leave_table(of);
  }

  /// Returns the size of the table in bytes.
  std::size_t footprint() const noexcept {
    return table_.capacity() * sizeof(std::uint64_t) + free_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr unsigned bits = 64;
  static constexpr unsigned width = 16;  ///< of a number: 1 + the core, or, in the lowest place, `tabled`
  static constexpr unsigned numbers = bits / width;
  static constexpr std::uint64_t mask = (1U << width) - 1;
  static constexpr std::uint64_t tabled = mask;
  static constexpr unsigned few = 2;  ///< a set that has become so small leaves the table

  static bool is_tabled(set of) noexcept { return (of & mask) == tabled; }
  static unsigned number(set of, unsigned at) noexcept { return static_cast<unsigned>(of >> (at * width) & mask); }
  /// Returns the word without its number at a place. Those above move down.
  static set without(set of, unsigned at) noexcept {
    const set below = (set{1} << (at * width)) - 1;
    return (of & below) | (of >> width & ~below);
  }
  /// Returns a set's row of the table: the number of its cores, then their bits.
  std::uint64_t* row(set of) noexcept { return table_.data() + (of >> width) * (1 + words_); }
  const std::uint64_t* row(set of) const noexcept { return table_.data() + (of >> width) * (1 + words_); }

  void add_number(set& to, unsigned core) {
    unsigned at = 0;
    for (; at < numbers && number(to, at) != 0; ++at)
      if (number(to, at) == core + 1) return;
    if (at < numbers) {
      to |= set{core + 1} << (at * width);
    } else {
      enter_table(to, core);
    }
  }
  void enter_table(set& of, unsigned core);
  void leave_table(set& of);

  bool many_;       ///< more than 64 cores
  unsigned words_;  ///< with a bit for each core
  std::vector<std::uint64_t> table_;
  std::vector<std::uint32_t> free_;  ///< rows of the table that no set uses; all bits are 0
};

}  // namespace jackdaw::sim
