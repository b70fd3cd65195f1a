#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// `scan_part(first, count, out, before)` is a serial scan; before points to the sum of what precedes, or is null.
template <class T, class In, class Out, class Op, class W, class ScanPart>
Out scan(In first, std::size_t count, Out out, const T* init, Op& op, loop_options<W> options, ScanPart scan_part) {
  static_assert(check_output<Out>());
  const Out out_end = out + static_cast<std::iter_difference_t<Out>>(count);
  if (count == 0) return out_end;
  const loop_blocks blocks{count, leaf_size(count, options.grain_size, leaves_by_size)};
  auto scan_from = [&](std::size_t from, std::size_t to, const T* before) {
    const Out at = out + static_cast<std::iter_difference_t<Out>>(from);
    declare_reads(first, from, to);
    declare_writes(at, at + static_cast<std::iter_difference_t<Out>>(to - from));
    scan_part(first + static_cast<std::iter_difference_t<In>>(from), to - from, at, before);
  };
  // Two sweeps cost two reads of the input: of no use to a lone worker, where any grouping gives the same result.
  if (blocks.count() == 1 || (std::is_integral_v<T> && concurrency() == 1)) {
    scan_from(0, count, init);
    return out_end;
  }
  auto value = [&](std::size_t i) -> decltype(auto) { return first[static_cast<std::iter_difference_t<In>>(i)]; };
  pieces cut(options.stop);
  auto sum_block = [&](std::size_t block) {
    declare_reads(first, blocks.begin_of(block), blocks.end_of(block));
    return fold<T>(blocks.begin_of(block), blocks.end_of(block), op, value, cut);
  };
  auto scan_block = [&](std::size_t block, const T* before) {
    scan_from(blocks.begin_of(block), blocks.end_of(block), before);
  };
  with_block_tree(blocks, options, [&]<class Weigh>(const loop_tree<Weigh>& tree) {
    scan_sweeps<T, Op, Weigh> sweeps(tree, op);
    sweeps.up(sum_block);
    sweeps.down(init, scan_block);
  });
  return out_end;
}

/// `step(sum, *in, out)` for `count` elements: a serial scan from `sum` on.
template <class T, class In, class Out, class Step>
void scan_serially(T sum, In in, std::size_t count, Out out, pieces& cut, const Step& step) {
  cut.run(count, [&](std::size_t from, std::size_t to) {
    T running = std::move(sum);  // its address and the iterators' are not taken: they stay in registers
    In it = in + static_cast<std::iter_difference_t<In>>(from);
    Out at = out + static_cast<std::iter_difference_t<Out>>(from);
    for (; from != to; ++from, ++it, ++at) step(running, *it, *at);
    sum = std::move(running);
  });
}

template <class T, class In, class Out, class Op, class W>
Out inclusive(In first, std::size_t size, Out out, const T* init, Op& op, loop_options<W> options) {
  pieces cut(options.stop);
  return scan(first, size, out, init, op, std::move(options), [&](In in, std::size_t count, Out at, const T* before) {
    const auto step = [&op](T& sum, auto&& x, auto&& written) {
      sum = combine<T>(op, std::as_const(sum), std::forward<decltype(x)>(x));
      written = std::as_const(sum);
    };
    if (before != nullptr) {
      scan_serially(*before, in, count, at, cut, step);
      return;
    }
    T sum = static_cast<T>(*in);
    *at = std::as_const(sum);
    scan_serially(std::move(sum), in + 1, count - 1, at + 1, cut, step);
  });
}

}  // namespace detail

/// Writes for each element of [first, last) the combination of `init` and all elements up to and including it.
///
/// The element at `it` becomes `init + *first + ... + *it` with `op` in place of `+`. How the operands are grouped
/// depends on the number of elements and the options alone. Integers on a single worker are the exception: they are
/// scanned in one sweep, which cannot change the result. Over contiguous iterators each leaf declares what it reads and
/// writes.
///
/// @param first The beginning of the input.
/// @param last The end of the input, an iterator or a sentinel.
/// @param out The beginning of the output, which may be `first`. Outputs whose neighbouring elements share bytes, as
/// those of std::vector<bool> do, are refused.
/// @param op An associative operation, which need not be commutative. Several workers call it at the same time.
/// @param init The initial value.
/// @param options A grain, a work_of and a std::stop_token.
/// @return The end of the output.
/// @throws std::bad_alloc if there is no memory for the sums of the leaves.
/// @throws anything that `op` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements and grain g: work O(n) in two sweeps, with up to 2n calls of `op`; span O(g + log(n/g)); memory for
/// n/g sums.
template <class In, class S, std::random_access_iterator Out, class Op, class T, loop_option... Options>
  requires(detail::bounds<In, S> && !loop_option<Op> && !loop_option<T>)
Out inclusive_scan(In first, S last, Out out, Op op, T init, const Options&... options) {
  return detail::inclusive(first, static_cast<std::size_t>(last - first), out, &std::as_const(init), op,
                           detail::collect(options...));
}

/// Scans without an initial value: the first element of the output is `*first`; otherwise as the inclusive_scan() with
/// an initial value. The sums have the input's value type.
template <class In, class S, std::random_access_iterator Out, class Op, loop_option... Options>
  requires(detail::bounds<In, S> && !loop_option<Op>)
Out inclusive_scan(In first, S last, Out out, Op op, const Options&... options) {
  const std::iter_value_t<In>* const none = nullptr;
  return detail::inclusive(first, static_cast<std::size_t>(last - first), out, none, op, detail::collect(options...));
}

/// Writes the running sums of [first, last); otherwise as the inclusive_scan() with an initial value.
template <class In, class S, std::random_access_iterator Out, loop_option... Options>
  requires detail::bounds<In, S>
Out inclusive_scan(In first, S last, Out out, const Options&... options) {
  return jackdaw::inclusive_scan(first, last, out, std::plus<>{}, options...);
}

/// Writes for each element of [first, last) the combination of `init` and all elements before it; otherwise as the
/// inclusive_scan() with an initial value.
///
/// The first element of the output is `init`. The last element of the input is not used.
///
/// @param first The beginning of the input.
/// @param last The end of the input, an iterator or a sentinel.
/// @param out The beginning of the output, which may be `first`.
/// @param init The initial value.
/// @param op An associative operation, which need not be commutative. Several workers call it at the same time.
/// @param options A grain, a work_of and a std::stop_token.
/// @return The end of the output.
/// @par Complexity
/// As for inclusive_scan().
template <class In, class S, std::random_access_iterator Out, class T, class Op, loop_option... Options>
  requires(detail::bounds<In, S> && !loop_option<T> && !loop_option<Op>)
Out exclusive_scan(In first, S last, Out out, T init, Op op, const Options&... options) {
  detail::pieces cut(detail::stop_of(options...));
  const auto step = [&op](T& sum, auto&& x, auto&& written) {
    T next = detail::combine<T>(op, std::as_const(sum), std::forward<decltype(x)>(x));
    written = std::move(sum);
    sum = std::move(next);
  };
  return detail::scan(first, static_cast<std::size_t>(last - first), out, &std::as_const(init), op,
                      detail::collect(options...), [&](In in, std::size_t count, Out at, const T* before) {
                        detail::scan_serially(*before, in, count, at, cut, step);
                      });
}

/// Writes for each element of [first, last) the sum of `init` and all elements before it; otherwise as the
/// exclusive_scan() with an operation.
template <class In, class S, std::random_access_iterator Out, class T, loop_option... Options>
  requires(detail::bounds<In, S> && !loop_option<T>)
Out exclusive_scan(In first, S last, Out out, T init, const Options&... options) {
  return jackdaw::exclusive_scan(first, last, out, std::move(init), std::plus<>{}, options...);
}

/// Scans a range, with an operation and an initial value, with an operation, or with std::plus; otherwise as the
/// inclusive_scan() over iterators.
///
/// @param range The input.
/// @param out The beginning of the output, which may be that of the input.
/// @param arguments What follows the output there.
template <detail::loop_range R, std::random_access_iterator Out, class... Arguments>
Out inclusive_scan(R&& range, Out out, const Arguments&... arguments) {
  return jackdaw::inclusive_scan(std::ranges::begin(range), detail::last_of(range), out, arguments...);
}

/// Scans a range, with an initial value and an operation or std::plus; otherwise as the exclusive_scan() over
/// iterators.
///
/// @param range The input.
/// @param out The beginning of the output, which may be that of the input.
/// @param init The initial value.
/// @param arguments What follows the initial value there.
template <detail::loop_range R, std::random_access_iterator Out, class T, class... Arguments>
  requires(!loop_option<T>)
Out exclusive_scan(R&& range, Out out, T init, const Arguments&... arguments) {
  return jackdaw::exclusive_scan(std::ranges::begin(range), detail::last_of(range), out, std::move(init), arguments...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
