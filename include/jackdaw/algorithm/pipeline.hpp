#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/algorithm/pipeline_run.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/error.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A stage of a pipeline() that any number of workers call at the same time.
template <class F>
struct parallel {
  /// Made of the stage's function.
  explicit parallel(F f) : function(std::move(f)) {}

  F function;  ///< Takes an item as an rvalue and returns what the next stage takes.
  /// How items enter.
  static constexpr detail::stage_order order = detail::stage_order::parallel;
};

/// A stage of a pipeline() that takes in one item at a time, in any order. Each call sees what earlier calls have
/// written.
template <class F>
struct serial {
  /// Made of the stage's function.
  explicit serial(F f) : function(std::move(f)) {}

  F function;  ///< Takes an item as an rvalue and returns what the next stage takes.
  /// How items enter.
  static constexpr detail::stage_order order = detail::stage_order::serial;
};

/// A stage of a pipeline() that takes in one item at a time, in the order in which the source has returned them. Each
/// call sees what earlier calls have written.
template <class F>
struct serial_in_order {
  /// Made of the stage's function.
  explicit serial_in_order(F f) : function(std::move(f)) {}

  F function;  ///< Takes an item as an rvalue and returns what the next stage takes.
  /// How items enter.
  static constexpr detail::stage_order order = detail::stage_order::serial_in_order;
};

namespace detail {

template <class T>
inline constexpr bool is_stage = false;
template <class F>
inline constexpr bool is_stage<parallel<F>> = true;
template <class F>
inline constexpr bool is_stage<serial<F>> = true;
template <class F>
inline constexpr bool is_stage<serial_in_order<F>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class Stage, class Item>
using stage_result = std::invoke_result_t<decltype(Stage::function)&, Item>;

/// What each stage takes, if the first one takes an Item.
template <class Item, class... Stages>
struct stage_items {
  using type = std::tuple<Item>;
};
template <class Item, class Stage, class Next, class... Stages>
struct stage_items<Item, Stage, Next, Stages...> {
  using type = decltype(std::tuple_cat(
      std::declval<std::tuple<Item>>(),
      std::declval<typename stage_items<std::remove_cvref_t<stage_result<Stage, Item>>, Next, Stages...>::type>()));
};

/// Stages that begin with one that takes an Item.
template <class Item, class Stage, class... Stages>
constexpr bool check_stages() noexcept {
  constexpr bool fits = std::is_invocable_v<decltype(Stage::function)&, Item>;
  static_assert(fits, "pipeline: a stage takes, as an rvalue, what the stage before it returns");
  if constexpr (fits) {
    using result = stage_result<Stage, Item>;
    if constexpr (sizeof...(Stages) == 0) {
      static_assert(std::is_void_v<result>, "pipeline: the last stage returns nothing");
      return std::is_void_v<result>;
    } else {
      using next = std::remove_cvref_t<result>;
      static_assert(!std::is_void_v<result>, "pipeline: only the last stage returns nothing");
      if constexpr (!std::is_void_v<result>) {
        constexpr bool stays = !std::is_move_constructible_v<next> || !std::is_constructible_v<next, result>;
        static_assert(!stays, "pipeline: what a stage returns has to be movable, or copyable if it is a reference");
        if constexpr (!stays) return check_stages<next, Stages...>();
      }
    }
  }
  return false;
}

template <class Source, class... Stages>
constexpr bool check_pipeline() noexcept {
  static_assert(sizeof...(Stages) != 0, "pipeline: a source needs at least one stage that takes its items");
  static_assert(!is_stage<Source>, "pipeline: the source is a function; it is always serial");
  constexpr bool are_stages = (is_stage<Stages> && ...);
  static_assert(are_stages, "pipeline: a stage is parallel(f), serial(f) or serial_in_order(f); there are no options");
  if constexpr (sizeof...(Stages) != 0 && !is_stage<Source> && are_stages) {
    constexpr bool is_source = [] {
      if constexpr (std::is_invocable_v<Source&>)
        return is_optional<std::remove_cvref_t<std::invoke_result_t<Source&>>>;
      return false;
    }();
    static_assert(is_source, "pipeline: the source is called without arguments and returns a std::optional");
    if constexpr (is_source) {
      using item = typename std::remove_cvref_t<std::invoke_result_t<Source&>>::value_type;
      static_assert(std::is_move_constructible_v<item>, "pipeline: what the source returns has to be movable");
      return check_stages<item, Stages...>();
    }
  }
  return false;
}

}  // namespace detail

/// Passes items from a source through stages, many items at the same time.
///
///     const auto read = [] { return next_line(); };  // a std::optional<std::string>
///     const auto convert = [](std::string line) { return parse(line); };
///     const auto keep = [&](person each) { people.push_back(std::move(each)); };
///     jackdaw::pipeline(16, read, jackdaw::parallel(convert), jackdaw::serial_in_order(keep));
///
/// An item that comes to a stage which is occupied is put aside and its worker goes on with other work; the worker that
/// leaves the stage takes the next item in. So no worker ever waits at a stage, and stages may fork, loop and run
/// pipelines. A stage must hold no lock across these, as any task must not (docs/forks.md): calls of a stage run on
/// different workers, also those of a serial stage. Outside of tasks the stages run in runtime::instance().
///
/// @param tokens The most items under way at the same time, at least 1. An item is under way from the call of the
/// source until the last stage has returned. Too few let workers run out of items while an earlier one takes long:
/// on a machine that other programs use as well, take dozens for each worker.
/// @param source Returns the next item as a std::optional, which is empty at the end. One worker at a time calls it,
/// and none after the end.
/// @param stages Each one is a parallel(), serial() or serial_in_order() with its function, which takes the result of
/// the stage before as an rvalue. The last one returns nothing. Items need to be movable only.
/// Each call begins with the floating-point control bits that pipeline() was called with, if every stage restores what
/// it changes.
/// @throws error if `tokens` is 0 or above 2^61.
/// @throws anything that a function throws; of several exceptions the first. After an exception no call of a stage
/// begins that the throwing worker knows of, the source is not called again, and running calls end; items under way are
/// then destroyed.
/// @throws std::bad_alloc if there is no memory for the items. This, too, stops the pipeline as an exception does.
/// Outside of tasks also what runtime::instance() throws.
/// @par Complexity
/// For n items, s stages and t tokens: n calls of each stage and O(ns) work; the span is at least the time of all calls
/// of the slowest serial stage. Memory for min(n, t) items, t pointers for each serial_in_order() and O(t) stacks,
/// however many items there are. A step to the next stage costs some tens of nanoseconds, and a fork if two items can
/// go on, so a stage should take tens of microseconds.
template <class Source, class... Stages>
void pipeline(std::size_t tokens, Source source, Stages... stages) {
  if constexpr (detail::check_pipeline<Source, Stages...>()) {
    if (tokens == 0 || tokens > detail::most_tokens) {
      detail::throw_error("a pipeline of " + std::to_string(tokens) + " tokens, expected 1 to " +
                          std::to_string(detail::most_tokens));
    }
    using item = typename std::remove_cvref_t<std::invoke_result_t<Source&>>::value_type;
    using items = typename detail::stage_items<item, Stages...>::type;
    // 64 levels: then few pipelines ever have to go on from their root.
    detail::pipeline_run<Source, items, Stages...>(64, tokens, source, stages...).run();
  }
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
