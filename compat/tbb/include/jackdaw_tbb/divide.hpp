#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/lane.hpp"
#include "jackdaw/invoke.hpp"
#include "jackdaw/work.hpp"
#include "jackdaw_tbb/scope.hpp"

// How ranges are divided, and how the parts become branches.
namespace tbb::detail::d1 {
inline namespace on_jackdaw {

template <class P>
inline constexpr bool is_partitioner = std::is_same_v<P, simple_partitioner> || std::is_same_v<P, auto_partitioner> ||
                                       std::is_same_v<P, static_partitioner> || std::is_same_v<P, affinity_partitioner>;

/// What may follow an algorithm's own arguments: a partitioner, a context, both in this order, or nothing.
template <class... Tail>
inline constexpr bool is_tail = sizeof...(Tail) == 0;
template <class T>
inline constexpr bool is_tail<T> = is_partitioner<std::remove_cvref_t<T>> || std::is_same_v<T, task_group_context&>;
template <class P, class C>
inline constexpr bool is_tail<P, C> = is_partitioner<std::remove_cvref_t<P>> && std::is_same_v<C, task_group_context&>;

template <class R>
concept divisible = std::is_copy_constructible_v<R> && std::is_constructible_v<R, R&, split> && requires(R& range) {
  static_cast<bool>(range.empty());
  static_cast<bool>(range.is_divisible());
};

/// The partitioner of a tail, or the default one.
template <class Default, class... Tail>
struct partitioner_of {
  using type = Default;
};
template <class Default, class T, class... Tail>
  requires(is_partitioner<std::remove_cvref_t<T>>)
struct partitioner_of<Default, T, Tail...> {
  using type = std::remove_cvref_t<T>;
};

/// Divides as long as a range can be divided.
struct to_the_grain {
  static constexpr bool more() noexcept { return true; }
  static constexpr to_the_grain cut() noexcept { return {}; }
  static constexpr void take() noexcept {}
  template <class Range>
  Range split_off(Range& range, to_the_grain) const {
    return Range(range, split());
  }
};

/// Divides into about that many parts. Proportional: by halves of the number, where the range can do that. Adaptive: a
/// part that a thief has taken is divided further, for the thief had nothing to do.
template <bool Proportional, bool Adaptive>
class into_parts {
 public:
  explicit into_parts(std::size_t parts) noexcept : parts_(parts) {}

  bool more() const noexcept { return parts_ > 1; }
  /// Keeps the left half and returns the right one.
  into_parts cut() noexcept {
    const std::size_t right = parts_ / 2;
    parts_ -= right;
    return into_parts(right);
  }
  void take() noexcept {
    if constexpr (Adaptive) parts_ *= 2;
  }
  template <class Range>
  Range split_off(Range& range, into_parts right) const {
    if constexpr (Proportional && std::is_constructible_v<Range, Range&, proportional_split&>) {
      proportional_split by(parts_, right.parts_);
      return Range(range, by);
    } else {
      return Range(range, split());
    }
  }

 private:
  std::size_t parts_;
};

/// What cannot be divided does not ask how many workers there are.
template <class Partitioner>
auto division_by(bool any) {
  if constexpr (std::is_same_v<Partitioner, simple_partitioner>) {
    return to_the_grain{};
  } else if constexpr (std::is_same_v<Partitioner, static_partitioner>) {
    return into_parts<true, false>(any ? jackdaw::concurrency() : 1);
  } else if constexpr (std::is_same_v<Partitioner, affinity_partitioner>) {
    return into_parts<true, false>(any ? jackdaw::detail::leaves_by_workers() : 1);
  } else {
    return into_parts<false, true>(any ? jackdaw::detail::leaves_by_workers() : 1);
  }
}

/// The work of a range, as a hint for the scheduler: its number of elements, if it tells that.
template <class Range>
double work_in(const Range& range) {
  if constexpr (requires { range.pages().size() * range.rows().size() * range.cols().size(); }) {
    return static_cast<double>(range.pages().size()) * static_cast<double>(range.rows().size()) *
           static_cast<double>(range.cols().size());
  } else if constexpr (requires { range.rows().size() * range.cols().size(); }) {
    return static_cast<double>(range.rows().size()) * static_cast<double>(range.cols().size());
  } else if constexpr (requires { range.dim(Range::ndims() - 1).size(); }) {
    double product = 1;
    for (unsigned i = 0; i < Range::ndims(); ++i) product *= static_cast<double>(range.dim(i).size());
    return product;
  } else if constexpr (requires { static_cast<double>(range.size()); }) {
    return static_cast<double>(range.size());
  } else {
    return jackdaw::unknown;
  }
}

/// In the upper tier, or outside of tasks. Either half may run on another stack.
template <class Here, class Elsewhere>
[[gnu::noinline]] void fork_above(scope& part_of, double left, Here& here, double right, Elsewhere& elsewhere) {
  jackdaw::invoke(jackdaw::work(left, [&] { run_in(part_of, here); }), jackdaw::work(right, elsewhere));
}

/// Calls here() for the left range, and lets others call elsewhere() for the right one meanwhile. True: they have not,
/// and the caller has to do the right one itself, like any next step. False: both have been done.
template <class Range, class Here, class Elsewhere>
[[nodiscard, gnu::always_inline]] inline bool fork(scope& part_of, const Range& left, Here here, const Range& right,
                                                   Elsewhere& elsewhere) {
  if (jackdaw::detail::lane* const at = jackdaw::detail::this_lane()) [[likely]] {
    jackdaw::detail::branch_of<Elsewhere&> later(elsewhere);
    return jackdaw::detail::run_exposing(at, here, later);
  }
  fork_above(part_of, work_in(left), here, work_in(right), elsewhere);
  return false;
}

}  // namespace on_jackdaw
}  // namespace tbb::detail::d1
