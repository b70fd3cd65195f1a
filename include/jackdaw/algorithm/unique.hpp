#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/sort.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/algorithm/pack.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Moves what `keep(it, end)` to the front of `count` elements; the end of these. Before `end` is the element before
/// `it`, or the one that was kept last.
template <class It, class Keep, class W>
It compact(It first, std::size_t count, Keep keep, loop_options<W> options) {
  using value = std::iter_value_t<It>;
  if (count == 0) return first;
  options.stop = nullptr;  // elements that are on their way would be lost
  const loop_blocks blocks = pack_blocks(count, options);
  constexpr bool has_buffer = std::default_initializable<value> && std::is_nothrow_move_assignable_v<value>;
  const auto serially = [&] {
    const auto keep_one = [&](const It& it, const It& out) { return keep(it, out); };
    return pack_serially(first, count, first, keep_one, [](const It& it, const It& out) {
      if (it != out) *out = std::ranges::iter_move(it);
    });
  };
  if constexpr (has_buffer) {
    if (packs_in_one_pass(blocks)) return serially();
    // What is kept goes through a buffer: a block's place in the range may hold what another block has not yet read.
    std::unique_ptr<value[]> buffer;
    const auto room = [&](std::size_t total) {
      buffer = std::make_unique_for_overwrite<value[]>(total);
      return buffer.get();
    };
    const auto keep_one = [&](const It& it) { return keep(it, it); };
    const auto put = [](const It& it, value* out) { *out = std::ranges::iter_move(it); };
    const std::size_t total = pack(first, blocks, keep_one, room, put, options);
    const auto declare = [&](std::size_t from, std::size_t to) {
      declare_reads(buffer.get(), from, to);
      declare_writes(at_offset(first, from), at_offset(first, to));
    };
    const auto put_back = [&](std::size_t from, std::size_t to) {
      std::move(buffer.get() + from, buffer.get() + to, at_offset(first, from));
    };
    loop_in_pieces(total, declare, put_back, loop_options<no_weight>{options.grain_size, {}});
    return at_offset(first, total);
  } else {
    return serially();
  }
}

}  // namespace detail

/// Removes from [first, last) each element that `equal` finds equal to the one before it, so that the first of each run
/// of equal elements stays.
///
/// Value types that are not default-constructible, or whose moves may throw, are handled serially.
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param equal An equivalence relation. Several workers call it at the same time.
/// @param tail A projection, which turns an element into what is compared; a grain, a work_of and a std::stop_token.
/// @return The end of what stays; the elements behind it are unspecified.
/// @throws std::bad_alloc if there is no memory for what stays.
/// @throws anything that `equal` throws. The elements are then unspecified.
/// @par Complexity
/// For n elements and grain g: n - 1 calls of `equal`, work O(n), span O(g + log(n/g)); memory for the elements that
/// stay, and as copy_if(). A single leaf, or a single worker, needs none.
template <detail::sortable_in_place It, class S, class Equal = std::ranges::equal_to, class... Tail>
  requires(detail::bounds<It, S> && !loop_option<Equal> && detail::tail_of<1, Tail...> &&
           std::predicate<Equal&, detail::projected_type<std::iter_reference_t<It>, 0, Tail...>,
                          detail::projected_type<std::iter_reference_t<It>, 0, Tail...>>)
It unique(It first, S last, Equal equal, const Tail&... tail) {
  if (last - first < 2) return detail::at_offset(first, static_cast<std::size_t>(last - first));
  auto projection = detail::projection<0>(tail...);
  const auto keep = [&](const It& it, const It& end) -> bool {
    return !std::invoke(equal, std::invoke(projection, *(end - 1)), std::invoke(projection, *it));
  };
  return detail::compact(first + 1, static_cast<std::size_t>(last - first) - 1, keep, detail::collect(tail...));
}

/// Removes from [first, last) each element that equals the one before it; otherwise as the unique() with a relation.
template <detail::sortable_in_place It, class S, loop_option... Options>
  requires detail::bounds<It, S>
It unique(It first, S last, const Options&... options) {
  return jackdaw::unique(first, last, std::ranges::equal_to{}, options...);
}

/// Removes from a range each element that `equal` finds equal to the one before it; otherwise as the unique() over
/// iterators.
template <detail::loop_range R, class Equal = std::ranges::equal_to, class... Tail>
  requires(detail::sortable_in_place<std::ranges::iterator_t<R>> && !loop_option<Equal>)
std::ranges::borrowed_iterator_t<R> unique(R&& range, Equal equal, const Tail&... tail) {
  return jackdaw::unique(std::ranges::begin(range), detail::last_of(range), std::move(equal), tail...);
}

/// Removes from a range each element that equals the one before it; otherwise as the unique() over iterators.
template <detail::loop_range R, loop_option... Options>
  requires detail::sortable_in_place<std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> unique(R&& range, const Options&... options) {
  return jackdaw::unique(std::ranges::begin(range), detail::last_of(range), std::ranges::equal_to{}, options...);
}

/// Removes from [first, last) each element that `pred` accepts; the others keep their order. Otherwise as unique().
///
/// @param first The beginning of the range.
/// @param last The end of the range, an iterator or a sentinel.
/// @param pred The predicate. It is called once for each element, by several workers at the same time.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
/// @return The end of what stays; the elements behind it are unspecified.
template <detail::sortable_in_place It, class S, class Pred, class... Tail>
  requires(detail::bounds<It, S> && detail::judges_projected<Pred, std::iter_reference_t<It>, Tail...>)
It remove_if(It first, S last, Pred pred, const Tail&... tail) {
  auto projection = detail::projection<0>(tail...);
  const auto keep = [&](const It& it, const It&) -> bool { return !std::invoke(pred, std::invoke(projection, *it)); };
  return detail::compact(first, static_cast<std::size_t>(last - first), keep, detail::collect(tail...));
}

/// Removes from a range each element that `pred` accepts; otherwise as the remove_if() over iterators.
template <detail::loop_range R, class Pred, class... Tail>
  requires detail::sortable_in_place<std::ranges::iterator_t<R>>
std::ranges::borrowed_iterator_t<R> remove_if(R&& range, Pred pred, const Tail&... tail) {
  return jackdaw::remove_if(std::ranges::begin(range), detail::last_of(range), std::move(pred), tail...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
