#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/sort_small.hpp"

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
It partition_branching(It first, It last, GoesLeft& goes_left) {
  while (first != last && goes_left(*first)) ++first;
  if (first == last) return first;
  hole gap(first);  // what it holds does not go left
  for (;;) {
    do {
      if (--last == first) return first;
    } while (!goes_left(*last));
    gap.move_to(last);
    do {
      if (++first == last) return first;
    } while (goes_left(*first));
    gap.move_to(first);
  }
}

/// As partition_branching, for types cheap to copy: one pass, two moves and one comparison an element, no branch on it
/// (Peters, "Branchless Lomuto partitioning", 2023). The free place moves right by one each time.
template <class It, class GoesLeft>
It partition_cyclic(It first, It last, GoesLeft& goes_left) {
  if (first == last) return first;
  It middle = first;
  hole gap(first);
  const auto step = [&](It it) {
    const bool left = goes_left(*it);
    gap.move_to(middle);
    *middle = *it;
    gap.at = it;
    middle += left;
  };
  It it = first + 1;
  for (; last - it >= 2; it += 2) {
    step(it);
    step(it + 1);
  }
  if (it != last) step(it);
  const bool left = goes_left(gap.taken);
  gap.move_to(middle);
  return middle + left;
}

template <class It, class GoesLeft>
It partition_serial(It first, It last, GoesLeft& goes_left) {
  if constexpr (sorts_branchless<std::iter_value_t<It>>)
    return partition_cyclic(first, last, goes_left);
  else
    return partition_branching(first, last, goes_left);
}

/// What a quicksort step found: [first, left_last) is still to be sorted, and so is [right_first, last).
template <class It>
struct quick_parts {
  It left_last;
  It right_first;
};

/// One step of quicksort on [first, last), at least 8 elements. `leftmost` is whether no element precedes the range;
/// else the one before it is not greater than any in it. `partition(first, last, goes_left)` does the work.
/// Elements equal to the one before the range are not sorted further, so that few distinct values cost less, not more.
template <class It, class Less, class Partition>
quick_parts<It> quick_step(It first, It last, bool leftmost, Less& less, Partition&& partition) {
  using value = std::iter_value_t<It>;
  using held = std::conditional_t<sorts_branchless<value>, const value, const value&>;
  std::iter_swap(first, sampled_median(first, last - first, less));
  if (!leftmost && !less(*(first - 1), *first)) {
    held pivot = *first;
    const It middle = partition(first + 1, last, [&](const value& x) { return !less(pivot, x); });
    return {first, middle};
  }
  held pivot = *first;
  const It middle = partition(first + 1, last, [&](const value& x) -> bool { return less(x, pivot); });
  std::iter_swap(first, middle - 1);
  return {middle - 1, middle};
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
void sort_serial(It first, It last, bool leftmost, unsigned bad_allowed, Less& less) {
  while (last - first > most_small<std::iter_value_t<It>>) {
    if (bad_allowed == 0) {
      std::make_heap(first, last, std::ref(less));
      std::sort_heap(first, last, std::ref(less));
      return;
    }
    const auto partition = [](It from, It to, auto goes_left) { return partition_serial(from, to, goes_left); };
    const auto parts = quick_step(first, last, leftmost, less, partition);
    if (parts.left_last != first && is_bad_step(first, last, parts)) --bad_allowed;
    // The shorter part recurses: the stack stays within the logarithm of the size.
    if (parts.left_last - first < last - parts.right_first) {
      sort_serial(first, parts.left_last, leftmost, bad_allowed, less);
      first = parts.right_first;
      leftmost = false;
    } else {
      sort_serial(parts.right_first, last, false, bad_allowed, less);
      last = parts.left_last;
    }
  }
  sort_small(first, last, less);
}

}  // namespace jackdaw::detail
