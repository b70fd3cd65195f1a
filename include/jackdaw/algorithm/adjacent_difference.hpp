#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>
#include <vector>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Writes the first element of [first, last) to `out`, and behind it for each other one its difference from the one
/// before it.
///
/// The element at `it` becomes `op(*it, *(it - 1))`. Over contiguous iterators each leaf declares what it reads and
/// writes.
///
/// @param first The beginning of the input. Its value type is copied.
/// @param last The end of the input, an iterator or a sentinel.
/// @param out The beginning of the output, which may be `first`. Outputs whose neighbouring elements share bytes, as
/// those of std::vector<bool> do, are refused.
/// @param op The operation. Several workers call it at the same time.
/// @param option_list A grain, a work_of and a std::stop_token.
/// @return The end of the output.
/// @throws std::bad_alloc if there is no memory for an element of each leaf.
/// @throws anything that `op` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + n/g), counting calls of `op` and copies; memory for n/g elements.
template <class In, class S, std::random_access_iterator Out, class Op, loop_option... Options>
  requires(detail::bounds<In, S> && !loop_option<Op> &&
           std::invocable<Op&, const std::iter_value_t<In>&, std::iter_value_t<In>>)
Out adjacent_difference(In first, S last, Out out, Op op, const Options&... option_list) {
  static_assert(detail::check_output<Out>());
  using value = std::iter_value_t<In>;
  auto options = detail::collect(option_list...);
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 0) return out;
  const detail::loop_blocks blocks{count, detail::leaf_size(count, options.grain_size, detail::leaves_by_size)};
  std::vector<value> before;  // the element before each block but the first: the block there may overwrite it
  before.reserve(blocks.count() - 1);
  for (std::size_t block = 1; block != blocks.count(); ++block)
    before.push_back(first[static_cast<std::iter_difference_t<In>>(blocks.begin_of(block) - 1)]);
  detail::pieces cut(options.stop);
  const auto subtract = [&](std::size_t from, std::size_t to, value previous) {
    cut.run(to - from, [&](std::size_t done, std::size_t until) {
      // The addresses of these are not taken: they stay in registers.
      In in = detail::at_offset(first, from + done);
      Out at = detail::at_offset(out, from + done);
      value last_one = std::move(previous);
      for (; done != until; ++done, ++in, ++at) {
        value current = *in;
        *at = std::invoke(op, std::as_const(current), std::move(last_one));
        last_one = std::move(current);
      }
      previous = std::move(last_one);
    });
  };
  auto leaf = [&](std::size_t block, std::size_t) {
    const std::size_t from = blocks.begin_of(block), to = blocks.end_of(block);
    detail::declare_reads(first, from, to);
    detail::declare_writes(detail::at_offset(out, from), detail::at_offset(out, to));
    if (block != 0) return subtract(from, to, std::move(before[block - 1]));
    value start = *first;
    *out = std::as_const(start);
    subtract(1, to, std::move(start));
  };
  detail::with_block_tree(blocks, options, [&](const auto& tree) { detail::for_leaves(tree, tree.root(), leaf); });
  return detail::at_offset(out, count);
}

/// Writes the differences of neighbours in [first, last); otherwise as the adjacent_difference() with an operation.
template <class In, class S, std::random_access_iterator Out, loop_option... Options>
  requires detail::bounds<In, S>
Out adjacent_difference(In first, S last, Out out, const Options&... options) {
  return jackdaw::adjacent_difference(first, last, out, std::minus<>{}, options...);
}

/// Writes what `op` makes of neighbours in a range; otherwise as the adjacent_difference() over iterators.
template <detail::loop_range R, std::random_access_iterator Out, class Op, loop_option... Options>
  requires(!loop_option<Op>)
Out adjacent_difference(R&& range, Out out, Op op, const Options&... options) {
  return jackdaw::adjacent_difference(std::ranges::begin(range), detail::last_of(range), out, std::move(op),
                                      options...);
}

/// Writes the differences of neighbours in a range; otherwise as the adjacent_difference() over iterators.
template <detail::loop_range R, std::random_access_iterator Out, loop_option... Options>
Out adjacent_difference(R&& range, Out out, const Options&... options) {
  return jackdaw::adjacent_difference(std::ranges::begin(range), detail::last_of(range), out, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
