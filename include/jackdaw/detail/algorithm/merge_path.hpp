#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// How many of the first `taken` elements of the stable merge of two sorted ranges come from the first range, [a, a +
/// a_size). `b_first(x, y)` is whether an element y of [b, b + b_size) goes before an element x of a. Whatever it
/// answers, the result leaves enough elements in both ranges. O(log min(a_size, b_size)) calls.
/// (Odeh et al., "Merge Path", 2012.)
template <class A, class B, class BFirst>
std::size_t merge_path(A a, std::size_t a_size, B b, std::size_t b_size, std::size_t taken, BFirst&& b_first) {
  std::size_t low = taken > b_size ? taken - b_size : 0, high = std::min(taken, a_size);
  while (low != high) {
    const std::size_t from_a = low + (high - low) / 2;  // element from_a of a is among the first `taken`, if it goes
    if (b_first(*at_offset(a, from_a), *at_offset(b, taken - from_a - 1)))  // before that element of b
      high = from_a;
    else
      low = from_a + 1;
  }
  return low;
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
