#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

#include "jackdaw/detail/algorithm/sort_small.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

// Two sorted ranges are walked in steps, as by a merge: a step takes an element of the first range, of the second, or a
// pair of equal ones. Where the steps are noted, they can be followed again without comparing anything.
namespace jackdaw::detail {

/// What a set operation writes of each step.
struct set_rule {
  bool first, second;  ///< of an element that only this range has: whether it is written
  bool both;           ///< of a pair: whether the first range's is written

  /// Of 64 steps: those that write. Bit i of `in_first`: whether step i takes from the first range.
  constexpr std::uint64_t written(std::uint64_t in_first, std::uint64_t in_second) const {
    return (first ? in_first & ~in_second : 0) | (second ? in_second & ~in_first : 0) |
           (both ? in_first & in_second : 0);
  }
};

/// Two words of notes for 64 steps.
struct set_notes {
  std::uint64_t in_first, in_second;
};

/// How many notes are enough for the steps over n elements of both ranges together.
constexpr std::size_t notes_for(std::size_t n) { return n / 64 + 1; }

/// The types for which both comparisons of a step, and a copy too many, cost less than a branch of unknown outcome.
template <class It1, class It2>
inline constexpr bool steps_branchless =
    std::contiguous_iterator<It1> && std::contiguous_iterator<It2> &&
    std::same_as<std::iter_value_t<It1>, std::iter_value_t<It2>> && sorts_branchless<std::iter_value_t<It1>>;

/// Notes the steps over two ranges; returns how many elements they write, what is left of either range included.
/// `less12(x, y)`: whether an element x of the first range goes before an element y of the second; `less21(y, x)`.
/// Whatever they answer, each step takes something.
template <set_rule Rule, class It1, class It2, class Less12, class Less21>
std::size_t note_steps(It1 at1, It1 end1, It2 at2, It2 end2, const Less12& less12, const Less21& less21,
                       set_notes* notes) {
  std::size_t count = 0;
  while (at1 != end1 && at2 != end2) {
    std::uint64_t in_first = 0, in_second = 0;
    for (unsigned step = 0; step != 64 && at1 != end1 && at2 != end2; ++step) {
      if constexpr (steps_branchless<It1, It2>) {
        const bool takes1 = !less21(*at2, *at1), takes2 = !takes1 | !less12(*at1, *at2);
        in_first |= std::uint64_t{takes1} << step;
        in_second |= std::uint64_t{takes2} << step;
        at1 += takes1;
        at2 += takes2;
      } else if (less21(*at2, *at1)) {  // with branches: the processor loads what it expects next meanwhile
        in_second |= std::uint64_t{1} << step;
        ++at2;
      } else {
        if (!less12(*at1, *at2)) {
          in_second |= std::uint64_t{1} << step;
          ++at2;
        }
        in_first |= std::uint64_t{1} << step;
        ++at1;
      }
    }
    *notes++ = {in_first, in_second};
    count += static_cast<std::size_t>(std::popcount(Rule.written(in_first, in_second)));
  }
  if (Rule.first) count += static_cast<std::size_t>(end1 - at1);
  if (Rule.second) count += static_cast<std::size_t>(end2 - at2);
  return count;
}

/// Follows the steps that have been noted over these ranges, and writes to [out, last), which has room for exactly what
/// they write.
template <set_rule Rule, class It1, class It2, class Out>
void follow_steps(It1 at1, It1 end1, It2 at2, It2 end2, const set_notes* notes, Out out, Out last) {
  while (out != last && at1 != end1 && at2 != end2) {
    const set_notes of = *notes++;
    const std::uint64_t written = Rule.written(of.in_first, of.in_second);
    for (unsigned step = 0; step != 64 && out != last && at1 != end1 && at2 != end2; ++step) {
      const bool takes1 = (of.in_first >> step & 1) != 0, takes2 = (of.in_second >> step & 1) != 0;
      const bool writes = (written >> step & 1) != 0;
      if constexpr (steps_branchless<It1, It2> && steps_branchless<It1, Out>) {
        // The next step that writes anything overwrites what this one should not have written.
        const auto from1 = *at1, from2 = *at2;
        *out = Rule.second && !takes1 ? from2 : from1;
        out += writes;
        at1 += takes1;
        at2 += takes2;
      } else {
        if (takes1) {
          if (writes) *out = *at1, ++out;
          ++at1;
        } else if (writes) {
          *out = *at2, ++out;
        }
        if (takes2) ++at2;
      }
    }
  }
  if constexpr (Rule.first) {
    for (; out != last && at1 != end1; ++at1, ++out) *out = *at1;
  }
  if constexpr (Rule.second) {
    for (; out != last && at2 != end2; ++at2, ++out) *out = *at2;
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
