#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/callable.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

namespace detail {

/// `scan_part(first, count, out, before)` is a serial scan; before points to the sum of what precedes, or is null.
template <class T, class In, class Out, class Op, class W, class ScanPart>
Out scan(In first, In last, Out out, const T* init, Op& op, loop_options<W> options, ScanPart scan_part) {
  const auto count = static_cast<std::size_t>(last - first);
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
  pieces cut;
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
    T running = std::move(sum);  // nobody else has its address, nor the iterators': they stay in registers
    In it = in + static_cast<std::iter_difference_t<In>>(from);
    Out at = out + static_cast<std::iter_difference_t<Out>>(from);
    for (; from != to; ++from, ++it, ++at) step(running, *it, *at);
    sum = std::move(running);
  });
}

template <class T, class In, class Out, class Op, class W>
Out inclusive(In first, In last, Out out, const T* init, Op& op, loop_options<W> options) {
  pieces cut;
  return scan(first, last, out, init, op, std::move(options), [&](In in, std::size_t count, Out at, const T* before) {
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

/// Writes `op(init, *first, …, *it)` for each `it` of [first, last), in order; returns the end of what was written.
/// op is associative and need not commute; it is called up to twice an element, in two sweeps (work 2n). `out` may be
/// `first`. The grouping depends on the number of elements and the options alone, except that integers, where it cannot
/// be seen, are scanned in one sweep on a single worker. Exceptions as for for_range; the output is then unspecified.
/// Declares what it reads and writes, where that lies in memory one after the other.
template <std::random_access_iterator In, std::random_access_iterator Out, class Op, class T, loop_option... Options>
  requires(!loop_option<Op> && !loop_option<T>)
Out inclusive_scan(In first, In last, Out out, Op op, T init, const Options&... options) {
  return detail::inclusive(first, last, out, &std::as_const(init), op, detail::collect(options...));
}

/// As above without an initial value: the first element written is *first. Sums have the input's value type.
template <std::random_access_iterator In, std::random_access_iterator Out, class Op, loop_option... Options>
  requires(!loop_option<Op>)
Out inclusive_scan(In first, In last, Out out, Op op, const Options&... options) {
  const std::iter_value_t<In>* const none = nullptr;
  return detail::inclusive(first, last, out, none, op, detail::collect(options...));
}

/// The running sums of [first, last).
template <std::random_access_iterator In, std::random_access_iterator Out, loop_option... Options>
Out inclusive_scan(In first, In last, Out out, const Options&... options) {
  return jackdaw::inclusive_scan(first, last, out, std::plus<>{}, options...);
}

/// Writes `op(init, *first, …, *(it - 1))` for each `it` of [first, last): init first, the last element nowhere;
/// otherwise as inclusive_scan.
template <std::random_access_iterator In, std::random_access_iterator Out, class T, class Op, loop_option... Options>
  requires(!loop_option<T> && !loop_option<Op>)
Out exclusive_scan(In first, In last, Out out, T init, Op op, const Options&... options) {
  detail::pieces cut;
  const auto step = [&op](T& sum, auto&& x, auto&& written) {
    T next = detail::combine<T>(op, std::as_const(sum), std::forward<decltype(x)>(x));
    written = std::move(sum);
    sum = std::move(next);
  };
  return detail::scan(first, last, out, &std::as_const(init), op, detail::collect(options...),
                      [&](In in, std::size_t count, Out at, const T* before) {
                        detail::scan_serially(*before, in, count, at, cut, step);
                      });
}

/// The sums of what precedes each element, and `init`.
template <std::random_access_iterator In, std::random_access_iterator Out, class T, loop_option... Options>
  requires(!loop_option<T>)
Out exclusive_scan(In first, In last, Out out, T init, const Options&... options) {
  return jackdaw::exclusive_scan(first, last, out, std::move(init), std::plus<>{}, options...);
}

}  // namespace jackdaw

#pragma GCC visibility pop
