#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)

namespace jackdaw {

/// Loop option: a leaf, the part of a loop that runs serially, holds at most `size` elements. 0 is automatic.
///
/// The automatic grain of a loop without a result (for_index, for_range, for_each) and of a sort makes 8 to 16 leaves
/// for each worker. That of a reduction, a scan or copy_if depends on the number of elements alone (256 to 512 leaves),
/// so that a floating-point result does not depend on the number of workers.
struct grain {
  std::size_t size = 0;
};

/// Loop option: `weigh(first_index, last_index)` is the work of that part of the loop's index range, as a double
/// >= 0 in any unit; it must be additive up to rounding, and safe to call concurrently. A loop over iterators counts
/// its indices from 0. Ranges are then split where the work halves, and the scheduler is told how much work each part
/// is. Without it the work of a range is its length.
template <class W>
struct work_of {
  W weigh;
};

template <class W>
work_of(W) -> work_of<W>;

namespace detail {

template <class T>
inline constexpr bool is_work_of = false;
template <class W>
inline constexpr bool is_work_of<work_of<W>> = true;

}  // namespace detail

/// What a loop takes after its other arguments, in any order and each at most once: a `grain`, a `work_of`.
template <class T>
concept loop_option = std::is_same_v<std::remove_cvref_t<T>, grain> || detail::is_work_of<std::remove_cvref_t<T>>;

namespace detail {

/// What is left of a loop's options without a work_of: every element weighs the same.
struct no_weight {};

template <class W>
struct loop_options {
  std::size_t grain_size = 0;
  [[no_unique_address]] W weigh;
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

template <loop_option... Options>
auto collect(const Options&... options) {
  static_assert((0 + ... + int(std::is_same_v<Options, grain>)) <= 1, "a loop takes one grain");
  static_assert((0 + ... + int(is_work_of<Options>)) <= 1, "a loop takes one work_of");
  return loop_options<decltype(weight_of(options...))>{grain_of(options...), weight_of(options...)};
}

}  // namespace detail
}  // namespace jackdaw

#pragma GCC visibility pop
