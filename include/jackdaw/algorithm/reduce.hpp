#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/reduction.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Folds `sum` and `value(first) .. value(last - 1)`, in order. For arithmetic results groups of four are combined
/// first, so that the additions of a group need not wait for those of the one before.
template <class T, class Op, class Value>
T fold_on(T sum, std::size_t first, std::size_t last, Op& op, Value& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    for (; last - first >= 4; first += 4) {
      const T left = combine<T>(op, static_cast<T>(value(first)), static_cast<T>(value(first + 1)));
      const T right = combine<T>(op, static_cast<T>(value(first + 2)), static_cast<T>(value(first + 3)));
      sum = combine<T>(op, sum, combine<T>(op, left, right));
    }
  }
  for (; first != last; ++first) sum = combine<T>(op, std::move(sum), value(first));
  return sum;
}

/// Folds `value(first) .. value(last - 1)`, one at least. The groups are the same however it is cut: no piece but the
/// last ends within one.
template <class T, class Op, class Value>
T fold(std::size_t first, std::size_t last, Op& op, Value& value, pieces& cut) {
  T sum = static_cast<T>(value(first));
  ++first;
  cut.run(last - first, [&](std::size_t from, std::size_t to) {
    sum = fold_on<T>(std::move(sum), first + from, first + to, op, value);
  });
  return sum;
}

/// `declare(first, last)` says what `value` is going to read.
template <class T, class Op, class Value, class Declare, class W>
T reduce_values(std::size_t count, T init, Op& op, Value& value, const Declare& declare, loop_options<W> options) {
  if (count == 0) return init;
  pieces cut(options.stop);
  auto fold_leaf = [&](std::size_t first, std::size_t last) {
    declare(first, last);
    return fold<T>(first, last, op, value, cut);
  };
  return combine<T>(op, std::move(init), reduce_leaves<T>(count, fold_leaf, op, options));
}

}  // namespace detail

/// Combines `init` and the transformed elements of [first, last) in order.
///
/// The result is `init + transform(*first) + ... + transform(*(last - 1))` with `reduce_op` in place of `+`. How the
/// operands are grouped depends on the number of elements and the options alone, and never on the number of workers,
/// the scheduler or the timing. A floating-point result is therefore the same, bit for bit, in every run. Over
/// contiguous iterators each leaf declares its elements as read.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param init The initial value. T need not be default-constructible.
/// @param reduce_op An associative operation, which need not be commutative. Several workers call it at the same time.
/// @param transform Turns an element into an operand. Several workers call it at the same time.
/// @param options A grain, a work_of and a std::stop_token.
/// @return `init` if the range is empty.
/// @throws anything that a function throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of both functions.
template <class It, class S, class T, class Op, class Transform, loop_option... Options>
  requires(detail::bounds<It, S> && !loop_option<Op> && !loop_option<Transform>)
T transform_reduce(It first, S last, T init, Op reduce_op, Transform transform, const Options&... options) {
  using difference = std::iter_difference_t<It>;
  static_assert(detail::check_transform<T, Op, Transform, std::iter_reference_t<It>>());
  auto value = [&](std::size_t i) -> decltype(auto) {
    return std::invoke(transform, first[static_cast<difference>(i)]);
  };
  auto declare = [&](std::size_t from, std::size_t to) { detail::declare_reads(first, from, to); };
  const auto count = static_cast<std::size_t>(last - first);
  return detail::reduce_values(count, std::move(init), reduce_op, value, declare, detail::collect(options...));
}

/// Combines `init` and `transform(*it1, *it2)` for all pairs of elements of two ranges, in order; otherwise as the
/// transform_reduce() of one range.
///
/// @param first1 The beginning of the first range.
/// @param last1 The end of the first range.
/// @param first2 The beginning of the second range, which is at least as long as the first one.
/// @param init The initial value.
/// @param reduce_op An associative operation, which need not be commutative.
/// @param transform Turns a pair of elements into an operand.
/// @param options A grain, a work_of and a std::stop_token.
template <class It1, class S1, std::random_access_iterator It2, class T, class Op, class Transform,
          loop_option... Options>
  requires(detail::bounds<It1, S1> && !loop_option<T> && !loop_option<Op> && !loop_option<Transform>)
T transform_reduce(It1 first1, S1 last1, It2 first2, T init, Op reduce_op, Transform transform,
                   const Options&... options) {
  static_assert(detail::check_transform<T, Op, Transform, std::iter_reference_t<It1>, std::iter_reference_t<It2>>());
  auto value = [&](std::size_t i) -> decltype(auto) {
    return std::invoke(transform, first1[static_cast<std::iter_difference_t<It1>>(i)],
                       first2[static_cast<std::iter_difference_t<It2>>(i)]);
  };
  auto declare = [&](std::size_t from, std::size_t to) {
    detail::declare_reads(first1, from, to);
    detail::declare_reads(first2, from, to);
  };
  const auto count = static_cast<std::size_t>(last1 - first1);
  return detail::reduce_values(count, std::move(init), reduce_op, value, declare, detail::collect(options...));
}

/// Returns `init` plus the inner product of two ranges; otherwise as the transform_reduce() of one range.
///
/// @param first1 The beginning of the first range.
/// @param last1 The end of the first range.
/// @param first2 The beginning of the second range, which is at least as long as the first one.
/// @param init The initial value.
/// @param options A grain, a work_of and a std::stop_token.
template <class It1, class S1, std::random_access_iterator It2, class T, loop_option... Options>
  requires(detail::bounds<It1, S1> && !loop_option<T>)
T transform_reduce(It1 first1, S1 last1, It2 first2, T init, const Options&... options) {
  return jackdaw::transform_reduce(first1, last1, first2, std::move(init), std::plus<>{}, std::multiplies<>{},
                                   options...);
}

/// Combines `init` and the elements of [first, last) in order; otherwise as transform_reduce().
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param init The initial value.
/// @param op An associative operation, which need not be commutative. Several workers call it at the same time.
/// @param options A grain, a work_of and a std::stop_token.
/// @return `init` if the range is empty.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `op`.
template <class It, class S, class T, class Op, loop_option... Options>
  requires(detail::bounds<It, S> && !loop_option<T> && !loop_option<Op>)
T reduce(It first, S last, T init, Op op, const Options&... options) {
  using difference = std::iter_difference_t<It>;
  static_assert(detail::check_fold<T, std::iter_reference_t<It>, Op>());
  auto value = [&](std::size_t i) -> decltype(auto) { return first[static_cast<difference>(i)]; };
  auto declare = [&](std::size_t from, std::size_t to) { detail::declare_reads(first, from, to); };
  const auto count = static_cast<std::size_t>(last - first);
  return detail::reduce_values(count, std::move(init), op, value, declare, detail::collect(options...));
}

/// Returns the sum of `init` and the elements of [first, last); otherwise as transform_reduce().
template <class It, class S, class T, loop_option... Options>
  requires(detail::bounds<It, S> && !loop_option<T>)
T reduce(It first, S last, T init, const Options&... options) {
  return jackdaw::reduce(first, last, std::move(init), std::plus<>{}, options...);
}

/// Combines `init` and the transformed elements of a range in order; otherwise as the transform_reduce() over
/// iterators.
template <detail::loop_range R, class T, class Op, class Transform, loop_option... Options>
  requires(!loop_option<T> && !loop_option<Op> && !loop_option<Transform>)
T transform_reduce(R&& range, T init, Op reduce_op, Transform transform, const Options&... options) {
  return jackdaw::transform_reduce(std::ranges::begin(range), detail::last_of(range), std::move(init),
                                   std::move(reduce_op), std::move(transform), options...);
}

/// Combines `init` and `transform` of all pairs of elements of two ranges, in order; otherwise as the
/// transform_reduce() over iterators.
///
/// @param range1 The first range.
/// @param range2 The second range, which is at least as long as the first one.
/// @param init The initial value.
/// @param reduce_op An associative operation, which need not be commutative.
/// @param transform Turns a pair of elements into an operand.
/// @param options A grain, a work_of and a std::stop_token.
template <detail::loop_range R1, detail::loop_range R2, class T, class Op, class Transform, loop_option... Options>
  requires(!loop_option<T> && !loop_option<Op> && !loop_option<Transform>)
T transform_reduce(R1&& range1, R2&& range2, T init, Op reduce_op, Transform transform, const Options&... options) {
  return jackdaw::transform_reduce(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                                   std::move(init), std::move(reduce_op), std::move(transform), options...);
}

/// Returns `init` plus the inner product of two ranges, of which the second is at least as long as the first; otherwise
/// as the transform_reduce() over iterators.
template <detail::loop_range R1, detail::loop_range R2, class T, loop_option... Options>
  requires(!loop_option<T>)
T transform_reduce(R1&& range1, R2&& range2, T init, const Options&... options) {
  return jackdaw::transform_reduce(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                                   std::move(init), options...);
}

/// Combines `init` and the elements of a range in order; otherwise as the reduce() over iterators.
template <detail::loop_range R, class T, class Op, loop_option... Options>
  requires(!loop_option<T> && !loop_option<Op>)
T reduce(R&& range, T init, Op op, const Options&... options) {
  return jackdaw::reduce(std::ranges::begin(range), detail::last_of(range), std::move(init), std::move(op), options...);
}

/// Returns the sum of `init` and the elements of a range; otherwise as the reduce() over iterators.
template <detail::loop_range R, class T, loop_option... Options>
  requires(!loop_option<T>)
T reduce(R&& range, T init, const Options&... options) {
  return jackdaw::reduce(std::ranges::begin(range), detail::last_of(range), std::move(init), std::plus<>{}, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
