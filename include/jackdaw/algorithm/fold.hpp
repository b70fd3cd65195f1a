#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/reduce.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// The state of a fold: what `make()` returns.
template <class Make>
using state_of = std::remove_cvref_t<std::invoke_result_t<Make&>>;

/// A function that takes a state by value and returns another one, as std::accumulate's does, would change nothing.
template <class Add, class State, class... Elements>
constexpr bool check_add() {
  static_assert(!std::is_same_v<std::invoke_result_t<Add&, State&, Elements...>, State> ||
                    !std::is_invocable_v<Add&, State, Elements...>,
                "add changes the state in place, and what it returns is dropped: give it a reference to the state");
  return true;
}

template <class Make, class Combine>
concept makes_states = std::invocable<Make&> && std::move_constructible<state_of<Make>> &&
                       std::is_invocable_r_v<state_of<Make>, Combine&, state_of<Make>, state_of<Make>>;

/// `add(state, first, last)` for each leaf.
template <class Make, class Add, class Combine, class W>
state_of<Make> fold_leaves(std::size_t count, Make& make, Add& add, Combine& combine, loop_options<W> options) {
  using state = state_of<Make>;
  if (count == 0) return std::invoke(make);
  auto fold_leaf = [&](std::size_t from, std::size_t to) -> state {
    state own = std::invoke(make);
    add(own, from, to);
    return own;
  };
  return reduce_leaves<state>(count, fold_leaf, combine, options);
}

}  // namespace detail

/// Folds each leaf of [first, last) into a state of its own, and combines the states in order.
///
/// Where reduce() makes a value of each element, a fold changes a state in place: a table of counts, a list of what was
/// found, the moments of a distribution. How elements are divided among states depends on their number and the options
/// alone. Over contiguous iterators each leaf declares its elements as read.
///
///     const auto join = [](std::string a, const std::string& b) { return std::move(a) + b; };
///     const auto put = [](std::string& text, int each) { text += std::to_string(each); };
///     std::string all = jackdaw::fold(in.begin(), in.end(), [] { return std::string(); }, put, join);
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param make Returns a state that nothing has been added to: `combine(make(), s)` has to equal `s`. Several workers
/// call it, once for each leaf.
/// @param add `add(state, element)` adds an element to a leaf's state, in order. What it returns is dropped.
/// @param combine `combine(left, right)` returns the combination of two states, which it is given as rvalues. It has to
/// be associative, and need not be commutative.
/// @param options A grain, a work_of and a std::stop_token. A grain bounds the number of states.
/// @return The combination of all states; `make()` if the range is empty.
/// @throws anything that a function throws, as for_index() does.
/// @par Complexity
/// For n elements and grain g, without one at most 512 leaves: n calls of `add`, n/g of `make` and `combine`; span O(g)
/// calls of `add` and O(log(n/g)) of `combine`.
template <class It, class S, class Make, class Add, class Combine, loop_option... Options>
  requires(detail::bounds<It, S> && detail::makes_states<Make, Combine> &&
           std::invocable<Add&, detail::state_of<Make>&, std::iter_reference_t<It>>)
detail::state_of<Make> fold(It first, S last, Make make, Add add, Combine combine, const Options&... options) {
  using state = detail::state_of<Make>;
  static_assert(detail::check_add<Add, state, std::iter_reference_t<It>>());
  detail::pieces cut(detail::stop_of(options...));
  auto add_leaf = [&](state& own, std::size_t begin, std::size_t end) {
    detail::declare_reads(first, begin, end);
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      for (It it = detail::at_offset(first, begin + from); from != to; ++from, ++it) std::invoke(add, own, *it);
    });
  };
  return detail::fold_leaves(static_cast<std::size_t>(last - first), make, add_leaf, combine,
                             detail::collect(options...));
}

/// Folds each leaf of a range into a state of its own, and combines the states in order; otherwise as the fold() over
/// iterators.
template <detail::loop_range R, class Make, class Add, class Combine, loop_option... Options>
  requires(detail::makes_states<Make, Combine> &&
           std::invocable<Add&, detail::state_of<Make>&, std::ranges::range_reference_t<R>>)
detail::state_of<Make> fold(R&& range, Make make, Add add, Combine combine, const Options&... options) {
  return jackdaw::fold(std::ranges::begin(range), detail::last_of(range), std::move(make), std::move(add),
                       std::move(combine), options...);
}

/// Folds each block of consecutive integers of [n_first, n_last) into a state of its own; otherwise as fold().
///
/// @param n_first The first integer; the integers are those of for_range().
/// @param n_last The integer after the last one.
/// @param make Returns a state that nothing has been added to.
/// @param add `add(state, first, last)` adds a block to its state. It is called once for each state.
/// @param combine `combine(left, right)` returns the combination of two states.
/// @param options A grain, which is the most integers of a block, and a work_of.
/// @throws error as for_range() does.
template <detail::loop_index I, detail::loop_index J, class Make, class Add, class Combine, loop_option... Options>
  requires(detail::makes_states<Make, Combine> &&
           std::invocable<Add&, detail::state_of<Make>&, detail::index_of<I, J>, detail::index_of<I, J>>)
detail::state_of<Make> fold_range(I n_first, J n_last, Make make, Add add, Combine combine, const Options&... options) {
  using index = detail::index_of<I, J>;
  using folded = detail::state_of<Make>;
  static_assert(detail::check_add<Add, folded, index, index>());
  const auto bounds = detail::common_range(n_first, n_last);
  auto add_leaf = [&](folded& state, std::size_t from, std::size_t to) {
    if constexpr (detail::can_be_stopped<Options...>) detail::throw_if_stopped(*detail::stop_of(options...));
    std::invoke(add, state, detail::advance_by(bounds.first, from), detail::advance_by(bounds.first, to));
  };
  const std::size_t count = detail::distance_between(bounds.first, bounds.second);
  const auto fold_all = [&](auto& by_offset) { return detail::fold_leaves(count, make, add_leaf, combine, by_offset); };
  return detail::with_offsets(bounds.first, fold_all, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
