#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/work.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

// Checks of what public functions are given. Without them the compiler would report a mistake deep inside, in a hundred
// lines. Each check is true, or ends in an error that names the public function and says what it takes.

/// A branch of an invoke, without its hint.
template <class F>
constexpr bool check_branch() noexcept {
  static_assert(std::is_invocable_v<F&>, "invoke: a branch is called without arguments");
  if constexpr (std::is_invocable_v<F&>) {
    using result = std::invoke_result_t<F&>;
    static_assert(std::is_void_v<result> || std::is_reference_v<result> || std::is_move_constructible_v<result>,
                  "invoke: what a branch returns has to be movable");
  }
  return true;
}
template <class F>
inline constexpr bool is_branch = check_branch<F>() && std::is_invocable_v<F&>;
template <class F>
inline constexpr bool is_branch<hinted<F>> = is_branch<std::remove_reference_t<F>>;
template <class F>
inline constexpr bool is_branch<const hinted<F>> = is_branch<std::remove_reference_t<std::add_const_t<F>>>;

/// The function of a root, which can be called without arguments.
template <class F>
constexpr bool check_root() noexcept {
  using result = std::invoke_result_t<F&>;
  static_assert(std::is_void_v<result> || std::is_reference_v<result> || std::is_move_constructible_v<result>,
                "runtime::run: what the function returns has to be movable");
  return true;
}

/// The function of an asynchronous root; F as in a forwarding reference.
template <class F>
constexpr bool check_async() noexcept {
  static_assert(std::is_constructible_v<std::decay_t<F>, F>,
                "runtime::async: the task keeps its own copy of the function, so that has to be copyable, or movable "
                "and given with std::move");
  static_assert(std::is_invocable_v<std::decay_t<F>&>, "runtime::async: the function is called without arguments");
  return true;
}

/// The function of a child; F as in a forwarding reference.
template <class F>
constexpr bool check_child() noexcept {
  static_assert(
      std::is_constructible_v<std::decay_t<F>, F>,
      "task_group::run: the child keeps its own copy of the function, so that has to be copyable, or movable and "
      "given with std::move");
  static_assert(std::is_invocable_v<std::decay_t<F>&>, "task_group::run: the function is called without arguments");
  return true;
}

/// Element: what is folded, as it is passed on; T: the type of the result.
template <class T, class Element, class Op>
constexpr bool check_fold() noexcept {
  static_assert(std::is_move_constructible_v<T>, "a reduction's value has to be movable");
  static_assert(std::is_constructible_v<T, Element>,
                "a reduction's element has to convert to the type of init; one that can only be moved needs a "
                "transform_reduce whose transform returns it by value");
  static_assert(
      std::is_invocable_r_v<T, Op&, T, T> && std::is_invocable_r_v<T, Op&, T, Element>,
      "a reduction's op(sum, element) and op(sum, sum) have to return something that converts to the type of init");
  return true;
}

template <class T, class Op, class Transform, class... Elements>
constexpr bool check_transform() noexcept {
  static_assert(std::is_invocable_v<Transform&, Elements...>,
                "transform_reduce: transform takes an element of each range");
  if constexpr (std::is_invocable_v<Transform&, Elements...>) {
    check_fold<T, std::invoke_result_t<Transform&, Elements...>, Op>();
  }
  return true;
}

template <class It, class Less>
constexpr bool check_less() noexcept {
  using element = std::iter_reference_t<It>;
  static_assert(
      requires(Less& less, element (*any)()) {
        { less(any(), any()) } -> std::convertible_to<bool>;
      }, "a sort's less(a, b) takes two elements and returns whether the first one goes before the second");
  return true;
}

/// Whether writes through neighbouring references touch the same bytes: they stand for bits, as those of
/// std::vector<bool>, or they are tuples in which one does.
template <class Reference, class Value>
constexpr bool shares_bytes() noexcept {
  if constexpr (!std::is_class_v<Reference>) {
    return false;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return true;
  } else if constexpr (requires { std::tuple_size<Reference>::value + std::tuple_size<Value>::value; }) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (shares_bytes<std::tuple_element_t<I, Reference>, std::tuple_element_t<I, Value>>() || ...);
    }(std::make_index_sequence<std::tuple_size_v<Value>>());
  } else {
    return false;
  }
}

/// An iterator through which several workers write, each to elements of its own.
template <class Out>
constexpr bool check_output() noexcept {
  static_assert(!shares_bytes<std::iter_reference_t<Out>, std::iter_value_t<Out>>(),
                "neighbouring elements of the output share bytes, as those of std::vector<bool> do, and workers that "
                "write to them would undo each other's writes: write to a std::vector<char>");
  return true;
}

/// The same for what is handed to a user's function.
template <class It>
constexpr bool check_visited() noexcept {
  static_assert(!shares_bytes<std::iter_reference_t<It>, std::iter_value_t<It>>(),
                "neighbouring elements share bytes, as those of std::vector<bool> do, and workers that write to them "
                "would undo each other's writes: read them through constant iterators, or use a std::vector<char>");
  return true;
}

/// `op(a, b)` as a T. For types shorter than int op may return an int, as + does.
template <class T, class Op, class A, class B>
T combine(Op& op, A&& a, B&& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(std::invoke(op, std::forward<A>(a), std::forward<B>(b)));
  } else {
    return std::invoke(op, std::forward<A>(a), std::forward<B>(b));
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
