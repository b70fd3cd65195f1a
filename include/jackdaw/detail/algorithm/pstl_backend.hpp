#pragma once

// The backend that libstdc++'s parallel algorithms call (jackdaw/pstl.hpp).

#if defined(_PSTL_PARALLEL_BACKEND_H)
#error "include <jackdaw/pstl.hpp> before <execution>, which has chosen the backend of the parallel algorithms"
#endif

#include <algorithm>
#include <atomic>
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

/// Called when a search has found something. What is left of it looks at a flag or at the value of what is before it.
inline void __cancel_execution() {}

/// Elements in a leaf of a reduction or scan: by their number, so that the result does not depend on the number of
/// workers.
inline std::size_t __leaf_of(std::size_t count) {
  return jackdaw::detail::leaf_size(count, 0, jackdaw::detail::leaves_by_size);
}

/// Blocks of a scan. Both of its sweeps go through them, which is too much for an element or two.
template <class Index>
jackdaw::detail::loop_blocks __blocks_of(Index count) {
  const auto elements = static_cast<std::size_t>(count);
  return {elements, std::max(__leaf_of(elements), std::size_t{16})};
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

/// `body(begin, end)` for parts of [first, last). Searches look at a flag in each, so parts are of half a millisecond;
/// but libstdc++ copies the element's function for each, so parts are not small if copies are not. Where a fork has no
/// memory, the program ends: elements may be in a buffer that would be freed.
template <class Policy, class Index, class Body>
void __parallel_for(Policy&&, Index first, Index last, Body body) {
  if (!(first < last)) return;  // copy_n() of a negative number
  jackdaw::tied([&]() noexcept {
    jackdaw::detail::pieces cut;
    jackdaw::for_range(std::size_t{0}, static_cast<std::size_t>(last - first), [&](std::size_t begin, std::size_t end) {
      const std::size_t unit = std::is_trivially_copyable_v<Body> ? 1 : (end - begin + 63) / 64;
      cut.run((end - begin + unit - 1) / unit, [&](std::size_t from, std::size_t to) {
        body(__at(first, begin + from * unit), __at(first, std::min(begin + to * unit, end)));
      });
    });
  });
}

/// `part(from, to, before)` for parts of a range, `before` being the value of what is before the part or the identity;
/// returns the value of the whole. A right half that begins after the left one has ended begins with its value.
template <class Value, class Part, class Reduction>
Value __reduce_between(std::size_t from, std::size_t to, std::size_t most, const Value& before, const Value& identity,
                       const Part& part, const Reduction& reduction) {
  if (to - from <= most) return part(from, to, before);
  const std::size_t middle = from + (to - from) / 2;
  std::optional<Value> left, right;
  std::atomic<bool> left_is_known{false};
  bool right_has_left = false;
  jackdaw::invoke(
      [&] {
        left.emplace(__reduce_between(from, middle, most, before, identity, part, reduction));
        left_is_known.store(true, std::memory_order_release);
      },
      [&] {
        // Acquire: sees the left half's value, which does not change any more.
        right_has_left = left_is_known.load(std::memory_order_acquire);
        right.emplace(__reduce_between(middle, to, most, right_has_left ? *left : identity, identity, part, reduction));
      });
  return right_has_left ? *std::move(right) : reduction(*std::move(left), *std::move(right));
}

/// Reduces, in order, what `body(begin, end, before)` returns for parts of [first, last). Searches return places and
/// pass over parts that are behind one.
template <class Policy, class Value, class Index, class Body, class Reduction>
Value __parallel_reduce(Policy&&, Index first, Index last, const Value& identity, const Body& body,
                        const Reduction& reduction) {
  if (first == last) return identity;
  return jackdaw::tied([&] {
    const auto count = static_cast<std::size_t>(last - first);
    auto combine = [&](Value left, Value right) -> Value { return reduction(left, right); };
    if constexpr (std::is_same_v<Value, Index>) {
      auto part = [&](std::size_t from, std::size_t to, const Value& before) -> Value {
        return body(__at(first, from), __at(first, to), before);
      };
      return __reduce_between(std::size_t{0}, count, __leaf_of(count), identity, identity, part, combine);
    } else {
      auto part = [&](std::size_t from, std::size_t to) -> Value {
        return body(__at(first, from), __at(first, to), identity);
      };
      auto options = jackdaw::detail::collect();
      return jackdaw::detail::reduce_leaves<Value>(count, part, combine, options);
    }
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
      T both = static_cast<T>(combine(transform(__at(first, 2 * from)), transform(__at(first, 2 * from + 1))));
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
      apex(static_cast<T>(combine(init, sweeps.up(sum_block))));
      [&]() noexcept { sweeps.down(std::addressof(init), scan_block); }();  // as in __parallel_for
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

/// Merges two sorted ranges by `merge(first1, last1, first2, last2, out, comp)` for parts of both. An exception from
/// comp ends the program, as does a fork without memory (__parallel_for).
template <class Policy, class It1, class It2, class Out, class Compare, class Merge>
void __parallel_merge(Policy&&, It1 first1, It1 last1, It2 first2, It2 last2, Out out, Compare comp, Merge merge) {
  jackdaw::tied([&]() noexcept {
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
