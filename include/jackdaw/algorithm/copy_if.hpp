#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/pack.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Copies to `out` what `keep(it)`; the end of the copies.
template <class In, class Out, class Keep, class W>
Out pack_to(In first, std::size_t count, Out out, Keep keep, loop_options<W> options) {
  static_assert(check_output<Out>());
  if (count == 0) return out;
  const loop_blocks blocks = pack_blocks(count, options);
  if (packs_in_one_pass(blocks)) {
    const auto keep_one = [&](const In& it, const Out&) { return keep(it); };
    return pack_serially(first, count, out, keep_one, put_copy, options.stop);
  }
  return at_offset(out, pack(first, blocks, keep, [out](std::size_t) { return out; }, put_copy, options));
}

}  // namespace detail

/// Copies the elements of [first, last) that `pred` accepts to `out`, in their order.
///
/// Over contiguous iterators each leaf declares what it reads and writes.
///
/// @param first The beginning of the input.
/// @param last The end of the input, an iterator or a sentinel.
/// @param out The beginning of the output, which must not overlap the input. It needs room for the accepted elements
/// only. Outputs whose neighbouring elements share bytes, as those of std::vector<bool> do, are refused.
/// @param pred The predicate. It is called once for each element, by several workers at the same time.
/// @param tail A projection, which turns an element into what `pred` is called with; a grain, a work_of and a
/// std::stop_token.
/// @return The end of the copies.
/// @throws std::bad_alloc if there is no memory for the bits below.
/// @throws anything that `pred` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `pred` and assignments. The call
/// needs n bits of memory, at least 64 for each leaf, and n/g counts. A single leaf, or a single worker, copies in one
/// pass without them.
template <class In, class S, std::random_access_iterator Out, class Pred, class... Tail>
  requires(detail::bounds<In, S> && detail::judges_projected<Pred, std::iter_reference_t<In>, Tail...>)
Out copy_if(In first, S last, Out out, Pred pred, const Tail&... tail) {
  auto projection = detail::projection<0>(tail...);
  const auto keep = [&](const In& it) -> bool { return std::invoke(pred, std::invoke(projection, *it)); };
  return detail::pack_to(first, static_cast<std::size_t>(last - first), out, keep, detail::collect(tail...));
}

/// Copies the elements of a range that `pred` accepts; otherwise as the copy_if() over iterators.
template <detail::loop_range R, std::random_access_iterator Out, class Pred, class... Tail>
  requires(detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
Out copy_if(R&& range, Out out, Pred pred, const Tail&... tail) {
  return jackdaw::copy_if(std::ranges::begin(range), detail::last_of(range), out, std::move(pred), tail...);
}

/// Returns the elements of a range that `pred` accepts, in their order; otherwise as copy_if().
///
/// The calling thread makes the elements of the vector before the copies are assigned to them. Where the memory should
/// be touched first by the workers that use it, copy_if() writes to memory of the caller's choice.
///
/// @param range The input.
/// @param pred The predicate. It is called once for each element, by several workers at the same time.
/// @param tail A projection; a grain, a work_of and a std::stop_token.
/// @return A vector of the accepted elements alone.
template <detail::loop_range R, class Pred, class... Tail>
  requires(std::default_initializable<std::ranges::range_value_t<R>> &&
           detail::judges_projected<Pred, std::ranges::range_reference_t<R>, Tail...>)
std::vector<std::ranges::range_value_t<R>> filter(R&& range, Pred pred, const Tail&... tail) {
  using in = std::ranges::iterator_t<R>;
  std::vector<std::ranges::range_value_t<R>> result;
  static_assert(detail::check_output<decltype(result.begin())>());
  auto projection = detail::projection<0>(tail...);
  auto options = detail::collect(tail...);
  const auto keep = [&](const in& it) -> bool { return std::invoke(pred, std::invoke(projection, *it)); };
  const auto count = static_cast<std::size_t>(std::ranges::size(range));
  if (count == 0) return result;
  const detail::loop_blocks blocks = detail::pack_blocks(count, options);
  if (detail::packs_in_one_pass(blocks)) {
    const auto keep_one = [&](const in& it, const auto&) { return keep(it); };
    const auto append = [](const auto& it, auto& out) { *out = *it; };
    detail::pack_serially(std::ranges::begin(range), count, std::back_inserter(result), keep_one, append, options.stop);
    return result;
  }
  const auto room = [&](std::size_t total) {
    result.resize(total);
    return result.begin();
  };
  detail::pack(std::ranges::begin(range), blocks, keep, room, detail::put_copy, options);
  return result;
}

/// Copies the elements of [first, last) whose flag is set to `out`, in their order; otherwise as copy_if().
///
/// @param first The beginning of the input.
/// @param last The end of the input, an iterator or a sentinel.
/// @param flags The beginning of the flags, one for each element; each converts to bool.
/// @param out The beginning of the output, which must not overlap the input.
/// @param options A grain, a work_of and a std::stop_token.
/// @return The end of the copies.
template <class In, class S, std::random_access_iterator Flags, std::random_access_iterator Out, loop_option... Options>
  requires(detail::bounds<In, S> && std::convertible_to<std::iter_reference_t<Flags>, bool>)
Out pack(In first, S last, Flags flags, Out out, const Options&... options) {
  const auto keep = [&](const In& it) {
    return static_cast<bool>(*detail::at_offset(flags, static_cast<std::size_t>(it - first)));
  };
  return detail::pack_to(first, static_cast<std::size_t>(last - first), out, keep, detail::collect(options...));
}

/// Copies the elements of a range whose flag is set to `out`; otherwise as the pack() over iterators.
///
/// @param range The input.
/// @param flags The flags, one for each element at least.
/// @param out The beginning of the output.
/// @param options A grain, a work_of and a std::stop_token.
template <detail::loop_range R, detail::loop_range Flags, std::random_access_iterator Out, loop_option... Options>
  requires std::convertible_to<std::ranges::range_reference_t<Flags>, bool>
Out pack(R&& range, Flags&& flags, Out out, const Options&... options) {
  return jackdaw::pack(std::ranges::begin(range), detail::last_of(range), std::ranges::begin(flags), out, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
