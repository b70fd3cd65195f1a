#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_small.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The median of three elements.
template <class It, class Less>
It median_of(It a, It b, It c, Less& less) {
  const bool a_b = less(*a, *b), a_c = less(*a, *c);
  if (a_b != a_c) return a;
  return less(*b, *c) == a_b ? b : c;
}

/// The median of three eighths' recursive medians: about sqrt(size) samples of [first, first + size), size >= 8.
template <class It, class Less>
It sampled_median(It first, std::iter_difference_t<It> size, Less& less) {
  const auto eighth = size / 8;
  It a = first, b = first + eighth * 4, c = first + eighth * 7;
  if (size >= 64) {
    a = sampled_median(a, eighth, less);
    b = sampled_median(b, eighth, less);
    c = sampled_median(c, eighth, less);
  }
  return median_of(a, b, c, less);
}

/// Moves the elements that `goes_left` to the front; the end of that front. Every element stays in the range if
/// goes_left throws. Hoare's scheme with one element held outside: one move an element in the wrong place.
template <class It, class GoesLeft>
It partition_branching(It first, It last, GoesLeft& goes_left, pieces& cut) {
  hole gap(first);
  const bool held_goes_left = goes_left(gap.taken);
  bool gap_on_left = true;  // the gap is at first, or else at last; what is between them has not been looked at
  cut.run(static_cast<std::size_t>(last - first) - 1, [&](std::size_t from, std::size_t to) {
    It low = first, high = last;
    bool on_left = gap_on_left;
    for (std::size_t count = to - from; count != 0; --count) {
      if (on_left) {
        if (!goes_left(*--high)) continue;
        gap.move_to(high);
        on_left = false;
      } else {
        if (goes_left(*++low)) continue;
        gap.move_to(low);
        on_left = true;
      }
    }
    first = low;
    last = high;
    gap_on_left = on_left;
  });
  return gap.at + held_goes_left;
}

/// As partition_branching, for types cheap to copy: one pass, two moves and one comparison an element, no branch on it
/// (Peters, "Branchless Lomuto partitioning", 2023). The free place moves right by one each time.
template <class It, class GoesLeft>
It partition_cyclic(It first, It last, GoesLeft& goes_left, pieces& cut) {
  It middle = first;
  hole gap(first);
  const bool held_goes_left = goes_left(gap.taken);
  cut.run(static_cast<std::size_t>(last - first) - 1, [&](std::size_t from, std::size_t to) {
    It right = middle;
    It it = first + static_cast<std::iter_difference_t<It>>(1 + from);
    const It end = it + static_cast<std::iter_difference_t<It>>(to - from);
    // The addresses of these copies are not taken: they stay in registers.
    const GoesLeft own = goes_left;
    struct tracked {
      hole<It>& gap;
      It at;
      ~tracked() { gap.at = at; }
    } place{gap, gap.at};
    const auto step = [&](It next) {
      const std::iter_value_t<It> moved = *next;
      const bool left = own(moved);
      *place.at = *right;
      *right = moved;
      place.at = next;
      right += left;
    };
    for (; end - it >= 2; it += 2) {
      step(it);
      step(it + 1);
    }
    if (it != end) step(it);
    middle = right;
  });
  gap.move_to(middle);
  return middle + held_goes_left;
}

template <class It, class GoesLeft>
It partition_serial(It first, It last, GoesLeft& goes_left, pieces& cut) {
  if (first == last) return first;
  if constexpr (sorts_branchless<std::iter_value_t<It>>)
    return partition_cyclic(first, last, goes_left, cut);
  else
    return partition_branching(first, last, goes_left, cut);
}

/// Which elements belong before a pivot. The pivot is a copy where that is cheap: then no store to the range can change
/// it.
template <class Held, class Less>
struct before_pivot {
  Held pivot;
  Less& less;
  template <class T>
  bool operator()(const T& x) const {
    return less(x, pivot);
  }
};

/// Which are not to come after it.
template <class Held, class Less>
struct not_after_pivot {
  Held pivot;
  Less& less;
  template <class T>
  bool operator()(const T& x) const {
    return !less(pivot, x);
  }
};

/// What a quicksort step found: [first, left_last) is still to be sorted, and so is [right_first, last).
template <class It>
struct quick_parts {
  It left_last;
  It right_first;
};

/// One step of quicksort on [first, last), at least 8 elements. `leftmost` is whether no element precedes the range;
/// else the one before it is not greater than any in it. `partition(first, last, goes_left)` does the work.
/// Elements equal to the one before the range are not sorted further, so that few distinct values cost less, not more.
/// A call of its own, as a piece is; it compares nothing after its partition, in which the task may change threads.
template <class It, class Less, class Partition>
[[gnu::noinline]] quick_parts<It> quick_step(It first, It last, bool leftmost, Less& less, Partition&& partition) {
  using value = std::iter_value_t<It>;
  using held = std::conditional_t<sorts_branchless<value>, const value, const value&>;
  std::iter_swap(first, sampled_median(first, last - first, less));
  if (!leftmost && !less(*(first - 1), *first)) {
    const It middle = partition(first + 1, last, not_after_pivot<held, Less>{*first, less});
    return {first, middle};
  }
  const It middle = partition(first + 1, last, before_pivot<held, Less>{*first, less});
  std::iter_swap(first, middle - 1);
  return {middle - 1, middle};
}

/// Lets the element at `place` sink in the heap [first, first + size), of which only that one may be too small for its
/// place.
template <class It, class Less>
void sift_down(It first, std::iter_difference_t<It> place, std::iter_difference_t<It> size, Less& less) {
  hole gap(first + place);
  for (auto child = 2 * place + 1; child < size; child = 2 * child + 1) {
    if (child + 1 < size && less(first[child], first[child + 1])) ++child;
    if (!less(gap.taken, first[child])) return;
    gap.move_to(first + child);
  }
}

/// Unlike the standard's it loses no element if less throws, and it can be cut.
template <class It, class Less>
void heap_sort(It first, It last, Less& less, pieces& cut) {
  using difference = std::iter_difference_t<It>;
  const difference size = last - first;
  cut.run(static_cast<std::size_t>(size / 2), [&](std::size_t from, std::size_t to) {
    for (; from != to; ++from) sift_down(first, size / 2 - 1 - static_cast<difference>(from), size, less);
  });
  cut.run(static_cast<std::size_t>(size - 1), [&](std::size_t from, std::size_t to) {
    for (; from != to; ++from) {
      const difference end = size - 1 - static_cast<difference>(from);
      std::iter_swap(first, first + end);
      sift_down(first, difference{0}, end, less);
    }
  });
}

/// How many steps of quicksort may go wrong (leave less than an eighth on one side) before heapsort takes over.
template <class Size>
unsigned bad_steps_allowed(Size size) {
  return static_cast<unsigned>(std::bit_width(static_cast<std::size_t>(size)));
}

template <class It>
bool is_bad_step(It first, It last, const quick_parts<It>& parts) {
  const auto eighth = (last - first) / 8;
  return parts.left_last - first < eighth || last - parts.right_first < eighth;
}

/// Sorts [first, last); leftmost as for quick_step. Every element stays in the range if less throws.
template <class It, class Less>
void sort_serial(It first, It last, bool leftmost, unsigned bad_allowed, Less& less, pieces& cut) {
  while (last - first > most_small<std::iter_value_t<It>>) {
    if (bad_allowed == 0) {
      heap_sort(first, last, less, cut);
      return;
    }
    const auto partition = [&cut](It from, It to, auto goes_left) {
      return partition_serial(from, to, goes_left, cut);
    };
    const auto parts = quick_step(first, last, leftmost, less, partition);
    if (parts.left_last != first && is_bad_step(first, last, parts)) --bad_allowed;
    // The shorter part recurses: the stack stays within the logarithm of the size.
    if (parts.left_last - first < last - parts.right_first) {
      sort_serial(first, parts.left_last, leftmost, bad_allowed, less, cut);
      first = parts.right_first;
      leftmost = false;
    } else {
      sort_serial(parts.right_first, last, false, bad_allowed, less, cut);
      last = parts.left_last;
    }
  }
  cut.run_whole([first, last, &less] { sort_small(first, last, less); });
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
