#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/merge_path.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// As std::mergeable; outputs of bits are left to check_output().
template <class It1, class It2, class Out, class Less, class... Tail>
concept merges_to = !loop_option<Less> && tail_of<2, Tail...> &&
                    (shares_bytes<std::iter_reference_t<Out>, std::iter_value_t<Out>>() ||
                     std::mergeable<It1, It2, Out, Less, projection_type<0, Tail...>, projection_type<1, Tail...>>);

template <class It1, class S1, class It2, class S2, class Out, class Less, class... Tail>
concept mergeable = bounds<It1, S1> && bounds<It2, S2> && merges_to<It1, It2, Out, Less, Tail...>;

template <class R1, class R2, class Out, class Less, class... Tail>
concept mergeable_ranges = merges_to<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Out, Less, Tail...>;

/// Two ranges sorted by the same order. Places in both at once stand for places in their stable merge, in which equal
/// elements of the first range go first.
template <class It1, class It2, class Less, class Projection1, class Projection2>
class sorted_ranges {
 public:
  struct place {
    std::size_t in_first, in_second;
  };

  sorted_ranges(It1 first, std::size_t size1, It2 second, std::size_t size2, Less& less, Projection1 projection1,
                Projection2 projection2)
      : first_(first),
        second_(second),
        size1_(size1),
        size2_(size2),
        less_(less),
        projection1_(std::move(projection1)),
        projection2_(std::move(projection2)) {}

  std::size_t size() const { return size1_ + size2_; }

  /// What the merge has taken from each range after `taken` elements.
  place place_of(std::size_t taken) const { return place_between({0, 0}, {size1_, size2_}, taken); }

  /// The same where the merge has come to `begin` before; the result lies between `begin` and `end` in both ranges,
  /// whatever the order says.
  place place_between(const place& begin, const place& end, std::size_t taken) const {
    check(begin, end);
    const auto second_first = [this](auto&& x, auto&& y) -> bool {
      return std::invoke(less_, std::invoke(projection2_, y), std::invoke(projection1_, x));
    };
    const std::size_t more = merge_path(at_offset(first_, begin.in_first), end.in_first - begin.in_first,
                                        at_offset(second_, begin.in_second), end.in_second - begin.in_second,
                                        taken - begin.in_first - begin.in_second, second_first);
    return {begin.in_first + more, taken - begin.in_first - more};
  }

  /// The same, moved back before all elements that are equal to the next one: none of these, in either range, lies on
  /// the other side.
  place run_of(std::size_t taken) const {
    const place at = place_of(taken);
    const It1 it1 = at_offset(first_, at.in_first);
    const It2 it2 = at_offset(second_, at.in_second);
    const auto before = [this, &at](const auto& value) -> place {
      const auto begin1 = std::ranges::lower_bound(first_, at_offset(first_, at.in_first), value, std::ref(less_),
                                                   std::ref(projection1_));
      const auto begin2 = std::ranges::lower_bound(second_, at_offset(second_, at.in_second), value, std::ref(less_),
                                                   std::ref(projection2_));
      return {static_cast<std::size_t>(begin1 - first_), static_cast<std::size_t>(begin2 - second_)};
    };
    if (at.in_first != size1_ && (at.in_second == size2_ || !std::invoke(less_, std::invoke(projection2_, *it2),
                                                                         std::invoke(projection1_, *it1)))) {
      return before(std::invoke(projection1_, *it1));
    }
    return at.in_second == size2_ ? at : before(std::invoke(projection2_, *it2));
  }

  void declare_reads(const place& begin, const place& end) const {
    check(begin, end);
    detail::declare_reads(first_, begin.in_first, end.in_first);
    detail::declare_reads(second_, begin.in_second, end.in_second);
  }

  /// A standard algorithm over what lies between two places of both ranges.
  template <class Algorithm, class... Out>
  auto apply(const Algorithm& algorithm, const place& begin, const place& end, const Out&... out) const {
    check(begin, end);
    return algorithm(at_offset(first_, begin.in_first), at_offset(first_, end.in_first),
                     at_offset(second_, begin.in_second), at_offset(second_, end.in_second), out..., std::ref(less_),
                     std::ref(projection1_), std::ref(projection2_));
  }

  /// `use(at1, end1, at2, end2, less12, less21)` over what lies between two places; the comparisons are of an element
  /// of the first range with one of the second, and the other way round.
  template <class Use>
  decltype(auto) between(const place& begin, const place& end, const Use& use) const {
    check(begin, end);
    return use(
        at_offset(first_, begin.in_first), at_offset(first_, end.in_first), at_offset(second_, begin.in_second),
        at_offset(second_, end.in_second),
        [this](auto&& x, auto&& y) -> bool {
          return std::invoke(less_, std::invoke(projection1_, x), std::invoke(projection2_, y));
        },
        [this](auto&& y, auto&& x) -> bool {
          return std::invoke(less_, std::invoke(projection2_, y), std::invoke(projection1_, x));
        });
  }

 private:
  /// By an order that contradicts itself a place may lie before one that the merge reaches earlier.
  static void check(const place& begin, const place& end) {
    if (end.in_first < begin.in_first || end.in_second < begin.in_second) {
      throw_error("two ranges are not sorted by the order that was given for both, or that contradicts itself");
    }
  }

  It1 first_;
  It2 second_;
  std::size_t size1_, size2_;
  Less& less_;
  mutable Projection1 projection1_;
  mutable Projection2 projection2_;
};

/// The inputs of a public function.
template <class It1, class S1, class It2, class S2, class Less, class... Tail>
auto inputs_of(It1 first1, S1 last1, It2 first2, S2 last2, Less& less, const Tail&... tail) {
  return sorted_ranges(first1, static_cast<std::size_t>(last1 - first1), first2,
                       static_cast<std::size_t>(last2 - first2), less, projection<0>(tail...), projection<1>(tail...));
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
