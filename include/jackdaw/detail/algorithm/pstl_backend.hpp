#pragma once

// The backend that libstdc++'s parallel algorithms call (jackdaw/pstl.hpp).

#if defined(_PSTL_PARALLEL_BACKEND_H)
#error "include <jackdaw/pstl.hpp> before <execution>, which has chosen the backend of the parallel algorithms"
#endif

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/nth_element.hpp"
#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_merge.hpp"
#include "jackdaw/detail/algorithm/sorted_ranges.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/tied.hpp"

#if !defined(_GLIBCXX_RELEASE)
#error "jackdaw/pstl.hpp is for libstdc++, whose parallel algorithms have a backend that can be replaced"
#endif

// <execution> asks for the backend by this header, and finds that it is there.
#define _PSTL_PARALLEL_BACKEND_H

JACKDAW_EXPORT_BEGIN

// The names, parameters and promises are those of libstdc++'s pstl/parallel_backend_*.h. Functions that are passed by
// value there are copied by their caller, so they are taken by value here, too. Nothing is said of how often they are
// copied. Other names begin alike, so that no name of the program's is found instead.
// NOLINTBEGIN(bugprone-reserved-identifier)
namespace __pstl {
namespace __jackdaw_backend {

/// Raw memory for n elements.
template <class T>
class __buffer {
 public:
  explicit __buffer(std::size_t n) : memory_(std::allocator<T>().allocate(n)), size_(n) {}
  ~__buffer() { std::allocator<T>().deallocate(memory_, size_); }
  __buffer(const __buffer&) = delete;
  __buffer& operator=(const __buffer&) = delete;
  explicit operator bool() const { return true; }
  T* get() const { return memory_; }

 private:
  T* const memory_;
  const std::size_t size_;
};

/// Called when a search has found something. What is left of it looks at a flag first, and ends.
inline void __cancel_execution() {}

/// As many blocks as reduce() has leaves, so that the result does not depend on the number of workers.
template <class Index>
jackdaw::detail::loop_blocks __blocks_of(Index count) {
  const auto elements = static_cast<std::size_t>(count);
  return {elements, jackdaw::detail::leaf_size(elements, 0, jackdaw::detail::leaves_by_size)};
}

/// What is i places behind `first`, an iterator or an integer.
template <class Index>
Index __at(Index first, std::size_t i) {
  if constexpr (std::is_integral_v<Index>) {
    return static_cast<Index>(first + static_cast<Index>(i));
  } else {
    return first + static_cast<typename std::iterator_traits<Index>::difference_type>(i);
  }
}

/// A comparison as jackdaw's algorithms take it: what this one returns may only convert to bool in a condition.
template <class Compare>
auto __as_bool(Compare& comp) {
  return [&comp](auto&& x, auto&& y) -> bool { return comp(x, y) ? true : false; };
}

/// `body(begin, end)` for parts of [first, last). Searches look at a flag in each, so parts are of half a millisecond.
template <class Policy, class Index, class Body>
void __parallel_for(Policy&&, Index first, Index last, Body body) {
  jackdaw::tied([&] {
    jackdaw::detail::pieces cut;
    jackdaw::for_range(std::size_t{0}, static_cast<std::size_t>(last - first), [&](std::size_t begin, std::size_t end) {
      cut.run(end - begin,
              [&](std::size_t from, std::size_t to) { body(__at(first, begin + from), __at(first, begin + to)); });
    });
  });
}

/// Reduces, in order, what `body(begin, end, identity)` returns for parts of [first, last).
template <class Policy, class Value, class Index, class Body, class Reduction>
Value __parallel_reduce(Policy&&, Index first, Index last, const Value& identity, const Body& body,
                        const Reduction& reduction) {
  if (first == last) return identity;
  return jackdaw::tied([&] {
    auto part = [&](std::size_t from, std::size_t to) -> Value {
      return body(__at(first, from), __at(first, to), identity);
    };
    auto combine = [&](Value left, Value right) -> Value { return reduction(left, right); };
    auto options = jackdaw::detail::collect();
    return jackdaw::detail::reduce_leaves<Value>(static_cast<std::size_t>(last - first), part, combine, options);
  });
}

/// Combines init with `transform(i)` for all i of [first, last), in order; `reduce(begin, end, sum)` so adds a part.
/// Only a combination of two of them need be convertible to T, so each part begins with two.
template <class Policy, class Index, class Transform, class T, class Combine, class Reduce>
T __parallel_transform_reduce(Policy&&, Index first, Index last, Transform transform, T init, Combine combine,
                              Reduce reduce) {
  const auto count = static_cast<std::size_t>(last - first);
  if (count < 2) return reduce(first, last, init);
  return jackdaw::tied([&] {
    const std::size_t pairs = count / 2;  // the last one has three elements if the number is odd
    auto part = [&](std::size_t from, std::size_t to) -> T {
      T both = combine(transform(__at(first, 2 * from)), transform(__at(first, 2 * from + 1)));
      return reduce(__at(first, 2 * from + 2), to == pairs ? last : __at(first, 2 * to), std::move(both));
    };
    auto options = jackdaw::detail::collect();
    T sum = jackdaw::detail::reduce_leaves<T>(pairs, part, combine, options);
    return T(combine(std::move(init), std::move(sum)));
  });
}

/// A scan of two sweeps over [0, count). The first one reduces each part by `reduce(begin, length)`; then
/// `apex(the sum of all)` is called; then `scan(begin, length, the sum of all before)` for each part.
template <class Policy, class Index, class T, class Reduce, class Combine, class Scan, class Apex>
void __parallel_strict_scan(Policy&&, Index count, T init, Reduce reduce, Combine combine, Scan scan, Apex apex) {
  if (count == 0) return apex(init);
  jackdaw::tied([&] {
    const auto blocks = __blocks_of(count);
    const auto length = [&](std::size_t b) { return static_cast<Index>(blocks.end_of(b) - blocks.begin_of(b)); };
    auto sum_block = [&](std::size_t b) -> T { return reduce(static_cast<Index>(blocks.begin_of(b)), length(b)); };
    auto scan_block = [&](std::size_t b, const T* before) {
      scan(static_cast<Index>(blocks.begin_of(b)), length(b), *before);
    };
    auto options = jackdaw::detail::collect();
    jackdaw::detail::with_block_tree(blocks, options, [&]<class Weigh>(const jackdaw::detail::loop_tree<Weigh>& tree) {
      jackdaw::detail::scan_sweeps<T, Combine, Weigh> sweeps(tree, combine);
      apex(combine(init, sweeps.up(sum_block)));
      sweeps.down(std::addressof(init), scan_block);
    });
  });
}

/// A scan of `transform(i)` for all i of [0, count), in order. `scan(begin, end, the sum of all before)` writes a part
/// and returns the sum of all up to its end; `reduce(begin, end, sum)` only adds a part to a sum.
template <class Policy, class Index, class Transform, class T, class Combine, class Reduce, class Scan>
T __parallel_transform_scan(Policy&&, Index count, Transform transform, T init, Combine combine, Reduce reduce,
                            Scan scan) {
  if (count == 0) return init;
  return jackdaw::tied([&] {
    const auto blocks = __blocks_of(count);
    const auto begin = [&](std::size_t b) { return static_cast<Index>(blocks.begin_of(b)); };
    const auto end = [&](std::size_t b) { return static_cast<Index>(blocks.end_of(b)); };
    auto sum_block = [&](std::size_t b) -> T { return reduce(begin(b) + 1, end(b), T(transform(begin(b)))); };
    std::optional<T> sum;
    auto scan_block = [&](std::size_t b, const T* before) {
      T until_here = scan(begin(b), end(b), *before);
      if (b + 1 == blocks.count()) sum.emplace(std::move(until_here));
    };
    auto options = jackdaw::detail::collect();
    jackdaw::detail::with_block_tree(blocks, options, [&]<class Weigh>(const jackdaw::detail::loop_tree<Weigh>& tree) {
      jackdaw::detail::scan_sweeps<T, Combine, Weigh> sweeps(tree, combine);
      if (blocks.count() > 1) sweeps.up(sum_block);
      sweeps.down(std::addressof(init), scan_block);
    });
    return T(std::move(*sum));
  });
}

/// Sorts the first `most` elements, or all if it is 0, stably if `sort_leaf(begin, end, comp)` does so. That is called
/// once for each part; it may construct the elements, and then need not sort more than `most` of a part.
template <class Policy, class It, class Compare, class SortLeaf>
void __parallel_stable_sort(Policy&&, It first, It last, Compare comp, SortLeaf sort_leaf, std::size_t most = 0) {
  using value = typename std::iterator_traits<It>::value_type;
  const auto count = static_cast<std::size_t>(last - first);
  const std::size_t leaf = jackdaw::detail::sort_leaf_size<value>(count, 0);
  if (count <= leaf) return sort_leaf(first, last, comp);
  jackdaw::tied([&] {
    auto less = __as_bool(comp);
    if (most != 0 && most < count) {
      const It middle = __at(first, most);
      jackdaw::detail::for_pieces(
          count, leaf, [&](std::size_t from, std::size_t to) { sort_leaf(__at(first, from), __at(first, to), comp); });
      if constexpr (jackdaw::detail::sortable_in_place<It>) {
        jackdaw::nth_element(first, middle, last, less);
        jackdaw::sort(first, middle, less);
      } else {
        std::partial_sort(first, middle, last, comp);
      }
      return;
    }
    const auto begin = jackdaw::detail::as_pointer(first);
    auto sort_part = [&](auto from, auto to, auto&) noexcept {
      sort_leaf(first + (from - begin), first + (to - begin), comp);
    };
    auto even = [](std::size_t from, std::size_t to) { return static_cast<double>(to - from); };
    jackdaw::detail::merge_sorter(begin, count, leaf, less, even, sort_part).sort();
  });
}

/// Merges parts of two sorted ranges. A leaf may move elements away, so no leaf of a part begins before it is divided.
template <class Inputs, class Leaf>
void __merge_between(const Inputs& inputs, typename Inputs::place begin, typename Inputs::place end, std::size_t most,
                     const Leaf& leaf) {
  const std::size_t from = begin.in_first + begin.in_second, to = end.in_first + end.in_second;
  if (to - from <= most) return leaf(begin, end);
  const auto middle = inputs.place_between(begin, end, from + (to - from) / 2);
  jackdaw::invoke([&] { __merge_between(inputs, begin, middle, most, leaf); },
                  [&] { __merge_between(inputs, middle, end, most, leaf); });
}

/// Merges two sorted ranges by `merge(first1, last1, first2, last2, out, comp)` for parts of both.
template <class Policy, class It1, class It2, class Out, class Compare, class Merge>
void __parallel_merge(Policy&&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare comp, Merge merge) {
  jackdaw::tied([&] {
    auto less = __as_bool(comp);
    const auto inputs = jackdaw::detail::inputs_of(first1, last1, first2, last2, less);
    const auto leaf = [&](const auto& begin, const auto& end) {
      merge(__at(first1, begin.in_first), __at(first1, end.in_first), __at(first2, begin.in_second),
            __at(first2, end.in_second), __at(out, begin.in_first + begin.in_second), comp);
    };
    const std::size_t most = jackdaw::detail::sort_leaf_size<char>(inputs.size(), 0);
    __merge_between(inputs, {0, 0}, inputs.place_of(inputs.size()), most, leaf);
  });
}

template <class Policy, class F1, class F2>
void __parallel_invoke(Policy&&, F1&& f1, F2&& f2) {
  jackdaw::tied([&] { jackdaw::invoke(std::forward<F1>(f1), std::forward<F2>(f2)); });
}

}  // namespace __jackdaw_backend

namespace __par_backend = __jackdaw_backend;

}  // namespace __pstl
// NOLINTEND(bugprone-reserved-identifier)

JACKDAW_EXPORT_END
