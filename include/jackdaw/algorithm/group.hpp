#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/algorithm/copy_if.hpp"
#include "jackdaw/algorithm/fold.hpp"
#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/error.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Counts how many elements of [first, last) fall into each bin.
///
///     const auto last_digit = [](int key) { return key % 10; };
///     std::vector<std::size_t> counts = jackdaw::histogram(keys.begin(), keys.end(), 10, last_digit);
///
/// Over contiguous iterators each leaf declares its elements as read.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param bins The number of bins.
/// @param tail A projection, which turns an element into the number of its bin, an integer in [0, bins); a grain and a
/// work_of. A leaf has as many elements as there are bins, or more.
/// @return The count of each bin.
/// @throws error if an element's bin is not in [0, bins).
/// @throws std::bad_alloc if there is no memory for the counts.
/// @throws anything that the projection throws, as for_index() does.
/// @par Complexity
/// For n elements, b bins, and leaves of g >= b elements: work O(n + b), span O(g + b log(n/g)), memory for b counts in
/// each running leaf and each that waits to be added to its neighbour.
template <class It, class S, class... Tail>
  requires(detail::bounds<It, S> && detail::tail_of<1, Tail...> &&
           std::integral<std::remove_cvref_t<detail::projected_type<std::iter_reference_t<It>, 0, Tail...>>>)
std::vector<std::size_t> histogram(It first, S last, std::size_t bins, const Tail&... tail) {
  auto bin_of = detail::projection<0>(tail...);
  auto options = detail::collect(tail...);
  const auto count = static_cast<std::size_t>(last - first);
  options.grain_size =
      std::max({detail::leaf_size(count, options.grain_size, detail::leaves_by_size), bins, std::size_t{1}});
  auto make = [bins] { return std::vector<std::size_t>(bins); };
  detail::pieces cut(options.stop);
  auto add = [&](std::vector<std::size_t>& counts, std::size_t begin, std::size_t end) {
    detail::declare_reads(first, begin, end);
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      for (It it = detail::at_offset(first, begin + from); from != to; ++from, ++it) {
        const auto bin = +std::invoke(bin_of, *it);  // of a type that can be compared with other integers
        if (std::cmp_less(bin, 0) || std::cmp_greater_equal(bin, bins)) {
          detail::throw_error("an element of bin " + std::to_string(bin) + ", expected bins from 0 to below " +
                              std::to_string(bins));
        }
        ++counts[static_cast<std::size_t>(bin)];
      }
    });
  };
  auto combine = [](std::vector<std::size_t> left, const std::vector<std::size_t>& right) {
    std::transform(left.begin(), left.end(), right.begin(), left.begin(), std::plus<>{});
    return left;
  };
  return detail::fold_leaves(count, make, add, combine, std::move(options));
}

/// Counts how many elements of a range fall into each bin; otherwise as the histogram() over iterators.
template <detail::loop_range R, class... Tail>
  requires(detail::tail_of<1, Tail...> &&
           std::integral<std::remove_cvref_t<detail::projected_type<std::ranges::range_reference_t<R>, 0, Tail...>>>)
std::vector<std::size_t> histogram(R&& range, std::size_t bins, const Tail&... tail) {
  return jackdaw::histogram(std::ranges::begin(range), detail::last_of(range), bins, tail...);
}

/// Returns the elements of a range in groups with equal keys: for each key that occurs, in ascending order, the key and
/// its elements in their order.
///
///     for (const auto& [name, namesakes] : jackdaw::group_by(people, &person::name))
///       std::printf("%s: %zu", name.c_str(), namesakes.size());
///
/// @param range The range. Its elements are copied.
/// @param key_of Turns an element into its key, which can be compared by `<`. It is called O(log n) times for each
/// element, by several workers at the same time.
/// @param options A grain, which is the most elements that are sorted serially.
/// @throws std::bad_alloc if there is no memory for the groups, or for n indices and bits.
/// @throws anything that `key_of`, a comparison or a copy throws, as for_index() does.
/// @par Complexity
/// For n elements in k groups of at most m: work O(n log n), span O(log³ n + k + m) and that of stable_sort().
template <detail::loop_range R, class Key, loop_option... Options>
  requires(std::strict_weak_order<std::ranges::less&, std::invoke_result_t<Key&, std::ranges::range_reference_t<R>>,
                                  std::invoke_result_t<Key&, std::ranges::range_reference_t<R>>>)
auto group_by(R&& range, Key key_of, const Options&... options) {
  using value = std::ranges::range_value_t<R>;
  using key = std::remove_cvref_t<std::invoke_result_t<Key&, std::ranges::range_reference_t<R>>>;
  static_cast<void>(detail::collect(options...));
  const auto first = std::ranges::begin(range);
  const auto count = static_cast<std::size_t>(std::ranges::size(range));
  auto key_at = [&](std::size_t i) -> decltype(auto) { return std::invoke(key_of, *detail::at_offset(first, i)); };
  std::vector<std::size_t> order(count);
  jackdaw::for_index(std::size_t{0}, count, [&](std::size_t i) { order[i] = i; });
  jackdaw::stable_sort(order, std::ranges::less{}, std::ref(key_at), options...);
  const auto starts_group = [&](std::ptrdiff_t at) -> bool {
    const auto i = static_cast<std::size_t>(at);
    return i == 0 || std::ranges::less{}(key_at(order[i - 1]), key_at(order[i]));
  };
  const std::vector<std::ptrdiff_t> starts =
      jackdaw::filter(std::views::iota(std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(count)), starts_group);
  const auto start_of = [&](std::size_t group) {
    return group == starts.size() ? count : static_cast<std::size_t>(starts[group]);
  };
  std::vector<std::pair<key, std::vector<value>>> groups;
  groups.reserve(starts.size());
  for (const std::ptrdiff_t start : starts)
    groups.emplace_back(key_at(order[static_cast<std::size_t>(start)]), std::vector<value>());
  const auto copy_group = [&](std::size_t group) {
    std::vector<value>& elements = groups[group].second;
    elements.reserve(start_of(group + 1) - start_of(group));
    for (std::size_t i = start_of(group); i != start_of(group + 1); ++i)
      elements.push_back(*detail::at_offset(first, order[i]));
  };
  const auto elements_in = [&](std::size_t from, std::size_t to) { return start_of(to) - start_of(from); };
  jackdaw::for_index(std::size_t{0}, groups.size(), copy_group, work_of{elements_in});
  return groups;
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
