#pragma once

#include <cstddef>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "jackdaw/cancellation.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Loop option: the most elements of a leaf, which is a part of the range that runs serially.
///
/// The automatic grain of loops, searches, sorts, partitions and merges makes 8 to 16 leaves for each worker. The
/// automatic grain of what reduces or counts first, as reductions, folds, scans and copy_if() do, makes up to 512
/// leaves. It depends on the number of elements alone, so that a floating-point result does not depend on the number of
/// workers.
struct grain {
  std::size_t size = 0;  ///< Elements, at least 1; 0: automatic.
};

/// Loop option: a function that gives the work of each part of the range.
///
/// Ranges are then split where the work halves, and the scheduler learns the work of each part. Without this option the
/// work of a range is its length.
///
///     const auto triangle = [](double first, double last) { return (last * last - first * first) / 2; };
///     jackdaw::for_index(0, n, solve_row, jackdaw::work_of{triangle});
/// @par Complexity
/// Finding where to split a range of n elements takes O(log n) calls of `weigh`.
template <class W>
struct work_of {
  /// `weigh(first_index, last_index)` returns the work of that part of the index range, as a number of at least 0 in
  /// any unit. A value that is negative or not finite counts as 0. The work of two adjacent ranges must add up, except
  /// for rounding. Several workers call the function at the same time. A loop over iterators counts its indices from 0.
  W weigh;
};

/// Deduces the type of the function.
template <class W>
work_of(W) -> work_of<W>;

namespace detail {

template <class T>
inline constexpr bool is_work_of = false;
template <class W>
inline constexpr bool is_work_of<work_of<W>> = true;

}  // namespace detail

/// An option of an algorithm: a grain, a work_of or a std::stop_token. Options follow the other arguments in any order,
/// each at most once.
///
/// An algorithm with a std::stop_token does all of its work or throws cancelled, once a stop has been requested. Then
/// leaves that have not begun are skipped. One that has begun ends at its next piece: of half a millisecond of calls as
/// long as those before, of 8 calls at least and 4096 at most. Leaves of fewer than 16 calls, and blocks of for_range()
/// and fold_range(), end by themselves. What the algorithm writes is unspecified, and all else is as after an exception
/// of the function that it calls. sort(), stable_sort(), nth_element(), partition(), unique(), remove_if(), group_by()
/// and the set operations look at the token only when they begin.
///
///     std::stop_source source;
///     jackdaw::for_index(0, n, solve_row, source.get_token());
template <class T>
concept loop_option =
    std::is_same_v<std::remove_cvref_t<T>, grain> || std::is_same_v<std::remove_cvref_t<T>, std::stop_token> ||
    detail::is_work_of<std::remove_cvref_t<T>>;

namespace detail {

/// What is left of a loop's options without a work_of: every element weighs the same.
struct no_weight {};

template <class W>
struct loop_options {
  std::size_t grain_size = 0;
  [[no_unique_address]] W weigh;
  const std::stop_token* stop = nullptr;  // the caller's; null: nothing stops it
};

inline std::size_t grain_of() { return 0; }
template <class Option, class... Options>
std::size_t grain_of(const Option& option, const Options&... options) {
  if constexpr (std::is_same_v<Option, grain>)
    return option.size;
  else
    return grain_of(options...);
}

inline no_weight weight_of() { return {}; }
template <class Option, class... Options>
auto weight_of(const Option& option, const Options&... options) {
  if constexpr (is_work_of<Option>)
    return option.weigh;
  else
    return weight_of(options...);
}

template <class... Options>
inline constexpr bool can_be_stopped = (std::is_same_v<Options, std::stop_token> || ...);

inline const std::stop_token* stop_of() { return nullptr; }
template <class Option, class... Options>
const std::stop_token* stop_of(const Option& option, const Options&... options) {
  if constexpr (std::is_same_v<Option, std::stop_token>)
    return &option;
  else
    return stop_of(options...);
}

/// Of the arguments after an algorithm's own: the options among them. Throws cancelled if a stop has been requested.
template <class... Options>
auto collect(const Options&... options) {
  static_assert((0 + ... + int(std::is_same_v<Options, std::stop_token>)) <= 1, "a loop takes one std::stop_token");
  if constexpr (can_be_stopped<Options...>) throw_if_stopped(*stop_of(options...));
  static_assert((0 + ... + int(std::is_same_v<Options, grain>)) <= 1, "a loop takes one grain");
  static_assert((0 + ... + int(is_work_of<Options>)) <= 1, "a loop takes one work_of");
  return loop_options<decltype(weight_of(options...))>{grain_of(options...), weight_of(options...),
                                                       stop_of(options...)};
}

}  // namespace detail
}  // namespace jackdaw

JACKDAW_EXPORT_END
