#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/loop_tree.hpp"
#include "jackdaw/loop.hpp"

namespace jackdaw {

namespace detail {

template <class I>
concept loop_index = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool>;

template <loop_index I>
std::size_t distance_between(I first, I last) {
  using unsigned_index = std::make_unsigned_t<I>;
  return first < last
             ? static_cast<unsigned_index>(static_cast<unsigned_index>(last) - static_cast<unsigned_index>(first))
             : 0;
}

template <loop_index I>
I advance_by(I first, std::size_t offset) {
  using unsigned_index = std::make_unsigned_t<I>;
  return static_cast<I>(static_cast<unsigned_index>(static_cast<unsigned_index>(first) + offset));
}

/// `leaf(first, last)` over offsets into [0, count), split as the options say.
template <class Leaf, class W>
void loop_over(std::size_t count, Leaf&& leaf, loop_options<W>& options) {
  if (count == 0) return;
  const std::size_t leaves = leaves_by_workers();
  loop_tree<W> tree(count, leaf_size(count, options.grain_size, leaves), options.weigh);
  if constexpr (!std::is_same_v<W, no_weight>)
    if (options.grain_size == 0) tree.balance(leaves);
  for_leaves(tree, tree.root(), leaf);
}

}  // namespace detail

/// Calls `f(first, last)` for blocks of consecutive integers that together are [n_first, n_last), concurrently.
/// Each block is as long as the grain at most; n_first >= n_last is empty. On one worker the blocks run in order.
/// `f` is called as the one object given, never copied. An exception from it is rethrown once no block runs any more;
/// blocks that have not started by then are skipped.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, std::common_type_t<I, J>, std::common_type_t<I, J>>
void for_range(I n_first, J n_last, F&& f, const Options&... options) {
  using index = std::common_type_t<I, J>;
  const index base = static_cast<index>(n_first);
  auto leaf = [&](std::size_t first, std::size_t last) {
    std::invoke(f, detail::advance_by(base, first), detail::advance_by(base, last));
  };
  const std::size_t count = detail::distance_between(base, static_cast<index>(n_last));
  auto collected = detail::collect(options...);
  using weight = decltype(collected.weigh);
  if constexpr (std::is_same_v<weight, detail::no_weight>) {
    detail::loop_over(count, leaf, collected);
  } else {
    auto weigh = [&](std::size_t first, std::size_t last) {
      return static_cast<double>(collected.weigh(detail::advance_by(base, first), detail::advance_by(base, last)));
    };
    detail::loop_options<decltype(weigh)> by_offset{collected.grain_size, weigh};
    detail::loop_over(count, leaf, by_offset);
  }
}

/// Calls `f(i)` for each integer of [n_first, n_last), concurrently; otherwise as for_range.
template <detail::loop_index I, detail::loop_index J, class F, loop_option... Options>
  requires std::invocable<F&, std::common_type_t<I, J>>
void for_index(I n_first, J n_last, F&& f, const Options&... options) {
  using index = std::common_type_t<I, J>;
  auto block = [&](index first, index last) {
    for (index i = first; i != last; ++i) std::invoke(f, i);
  };
  jackdaw::for_range(n_first, n_last, block, options...);
}

/// Calls `f(*it)` for each iterator of [first, last), concurrently; otherwise as for_range. As std::for_each. Declares
/// the elements as read, and as written unless they are constant, where they lie in memory one after the other.
template <std::random_access_iterator It, class F, loop_option... Options>
  requires std::invocable<F&, std::iter_reference_t<It>>
void for_each(It first, It last, F&& f, const Options&... options) {
  using difference = std::iter_difference_t<It>;
  auto block = [&](std::size_t from, std::size_t to) {
    It it = first + static_cast<difference>(from);
    const It end = first + static_cast<difference>(to);
    detail::declare_uses(it, end);
    for (; it != end; ++it) std::invoke(f, *it);
  };
  jackdaw::for_range(std::size_t{0}, static_cast<std::size_t>(last - first), block, options...);
}

}  // namespace jackdaw
