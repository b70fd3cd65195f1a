#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/search.hpp"
#include "jackdaw/detail/algorithm/set_steps.hpp"
#include "jackdaw/detail/algorithm/sorted_ranges.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

namespace detail {

/// Two sorted ranges in blocks, in which no equal elements are apart.
template <class Inputs>
struct set_blocks {
  const Inputs& inputs;
  loop_blocks blocks;

  auto begin_of(std::size_t block) const { return inputs.run_of(blocks.begin_of(block)); }
  auto end_of(std::size_t block) const { return inputs.run_of(blocks.end_of(block)); }
};

/// Each block notes how it is going to step through its ranges, and counts what it is going to write. Then it follows
/// its notes, and writes behind what the blocks before it write.
template <set_rule Rule, class Inputs, class Out, class Algorithm, class W>
Out set_operation(const Inputs& inputs, Out out, const Algorithm& algorithm, loop_options<W> options) {
  static_assert(check_output<Out>());
  if (inputs.size() == 0) return out;
  pieces cut;
  const set_blocks<Inputs> parts{inputs, {inputs.size(), leaf_size(inputs.size(), options.grain_size, leaves_by_size)}};
  if (parts.blocks.count() == 1 || concurrency() == 1) {
    const auto begin = inputs.place_of(0), end = inputs.place_of(inputs.size());
    Out written = out;
    inputs.declare_reads(begin, end);
    cut.run_whole([&] { written = inputs.apply(algorithm, begin, end, out).out; });
    declare_writes(out, written);
    return written;
  }
  // No two blocks share a note: of places x < y, y / 64 + 1 - x / 64 notes are enough for what lies between them.
  const auto notes = std::make_unique_for_overwrite<set_notes[]>(notes_for(inputs.size()) + parts.blocks.count());
  const auto counts = std::make_unique_for_overwrite<std::size_t[]>(parts.blocks.count());
  const auto notes_of = [&](std::size_t block, const auto& begin) {
    return &notes[(begin.in_first + begin.in_second) / 64 + block];
  };
  auto note_block = [&](std::size_t block) {
    const auto begin = parts.begin_of(block), end = parts.end_of(block);
    inputs.declare_reads(begin, end);
    cut.run_whole([&] {
      counts[block] = inputs.between(begin, end, [&](auto at1, auto end1, auto at2, auto end2, const auto&... less) {
        return note_steps<Rule>(at1, end1, at2, end2, less..., notes_of(block, begin));
      });
    });
    return counts[block];
  };
  auto write_block = [&](std::size_t block, const std::size_t* before) {
    const auto begin = parts.begin_of(block), end = parts.end_of(block);
    const Out first = at_offset(out, before == nullptr ? 0 : *before), last = at_offset(first, counts[block]);
    inputs.declare_reads(begin, end);
    cut.run_whole([&] {
      inputs.between(begin, end, [&](auto at1, auto end1, auto at2, auto end2, const auto&...) {
        follow_steps<Rule>(at1, end1, at2, end2, notes_of(block, begin), first, last);
      });
    });
    declare_writes(first, last);
  };
  return with_block_tree(parts.blocks, options, [&]<class Weigh>(const loop_tree<Weigh>& tree) {
    std::plus<> plus;
    scan_sweeps<std::size_t, std::plus<>, Weigh> sweeps(tree, plus);
    const std::size_t total = sweeps.up(note_block);
    sweeps.down(nullptr, write_block);
    return at_offset(out, total);
  });
}

}  // namespace detail

/// Returns whether the sorted range [first1, last1) has each element of the sorted range [first2, last2), equal ones as
/// often.
///
/// @param first1 The beginning of the first range.
/// @param last1 The end of the first range, an iterator or a sentinel.
/// @param first2 The beginning of the second range.
/// @param last2 The end of the second range, an iterator or a sentinel.
/// @param less A strict weak order by which both ranges are sorted. Several workers call it at the same time.
/// @param tail A projection for the first range, and one for the second; a grain, which counts elements of both.
/// @throws anything that `less` throws, as for_index() does.
/// @par Complexity
/// As for set_union(), but a missing element ends the search.
template <class It1, class S1, class It2, class S2, class Less = std::ranges::less, class... Tail>
  requires(detail::bounds<It1, S1> && detail::bounds<It2, S2> && !loop_option<Less> && detail::tail_of<2, Tail...>)
bool includes(It1 first1, S1 last1, It2 first2, S2 last2, Less less, const Tail&... tail) {
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  if (inputs.size() == 0) return true;
  const std::size_t asked = detail::collect(tail...).grain_size;
  const detail::set_blocks<decltype(inputs)> parts{
      inputs, {inputs.size(), detail::leaf_size(inputs.size(), asked, detail::leaves_by_size)}};
  const auto lacks = [&](std::size_t block) {
    const auto begin = parts.begin_of(block), end = parts.end_of(block);
    inputs.declare_reads(begin, end);
    return !inputs.apply(std::ranges::includes, begin, end);
  };
  const std::size_t count = parts.blocks.count();
  const detail::loop_options<detail::no_weight> one_by_one{1, {}};
  const auto blocks = std::views::iota(std::ptrdiff_t{0}).begin();
  return detail::search<detail::wanted::any>(blocks, count, lacks, one_by_one) == count;
}

/// Returns whether a sorted range includes another in ascending order; otherwise as the includes() with a comparison.
template <class It1, class S1, class It2, class S2, loop_option... Options>
  requires(detail::bounds<It1, S1> && detail::bounds<It2, S2>)
bool includes(It1 first1, S1 last1, It2 first2, S2 last2, const Options&... options) {
  return jackdaw::includes(first1, last1, first2, last2, std::ranges::less{}, options...);
}

/// Returns whether a sorted range includes another; otherwise as the includes() over iterators.
template <detail::loop_range R1, detail::loop_range R2, class Less = std::ranges::less, class... Tail>
  requires(!loop_option<Less> && detail::tail_of<2, Tail...>)
bool includes(R1&& range1, R2&& range2, Less less, const Tail&... tail) {
  return jackdaw::includes(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                           detail::last_of(range2), std::move(less), tail...);
}

/// Returns whether a sorted range includes another in ascending order; otherwise as the includes() over iterators.
template <detail::loop_range R1, detail::loop_range R2, loop_option... Options>
bool includes(R1&& range1, R2&& range2, const Options&... options) {
  return jackdaw::includes(range1, range2, std::ranges::less{}, options...);
}

/// Writes the elements that at least one of two sorted ranges has.
///
/// Equal elements of one range are paired with those of the other, as in the standard's. Over contiguous iterators each
/// leaf declares what it reads and writes.
///
/// @param first1 The beginning of the first range.
/// @param last1 The end of the first range, an iterator or a sentinel.
/// @param first2 The beginning of the second range.
/// @param last2 The end of the second range, an iterator or a sentinel.
/// @param out The beginning of the output, which must not overlap the inputs. It needs room for the result only.
/// Outputs whose neighbouring elements share bytes, as those of std::vector<bool> do, are refused.
/// @param less A strict weak order by which both ranges are sorted. Several workers call it at the same time.
/// @param tail A projection for the first range, and one for the second; a grain and a work_of, which count elements of
/// both ranges together.
/// @return The end of the output.
/// @throws std::bad_alloc if there is no memory for the notes of the leaves.
/// @throws anything that `less` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements in all and grain g: work O(n + n/g log n) in two sweeps, of which only the first one compares, span
/// O(g + e + log n) where e is the most elements that are equal; memory for 2n bits and n/g counts. On a single worker,
/// or in a single leaf, one sweep and no memory.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable<It1, S1, It2, S2, Out, Less, Tail...>
Out set_union(It1 first1, S1 last1, It2 first2, S2 last2, Out out, Less less, const Tail&... tail) {
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  return detail::set_operation<detail::set_rule{true, true, true}>(inputs, out, std::ranges::set_union,
                                                                   detail::collect(tail...));
}

/// Writes the union of two ranges in ascending order; otherwise as the set_union() with a comparison.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable<It1, S1, It2, S2, Out, std::ranges::less>
Out set_union(It1 first1, S1 last1, It2 first2, S2 last2, Out out, const Options&... options) {
  return jackdaw::set_union(first1, last1, first2, last2, out, std::ranges::less{}, options...);
}

/// Writes the union of two sorted ranges; otherwise as the set_union() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable_ranges<R1, R2, Out, Less, Tail...>
Out set_union(R1&& range1, R2&& range2, Out out, Less less, const Tail&... tail) {
  return jackdaw::set_union(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                            detail::last_of(range2), out, std::move(less), tail...);
}

/// Writes the union of two ranges in ascending order; otherwise as the set_union() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable_ranges<R1, R2, Out, std::ranges::less>
Out set_union(R1&& range1, R2&& range2, Out out, const Options&... options) {
  return jackdaw::set_union(range1, range2, out, std::ranges::less{}, options...);
}

/// Writes the elements of the first of two sorted ranges that the second one has as well; otherwise as set_union().
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable<It1, S1, It2, S2, Out, Less, Tail...>
Out set_intersection(It1 first1, S1 last1, It2 first2, S2 last2, Out out, Less less, const Tail&... tail) {
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  return detail::set_operation<detail::set_rule{false, false, true}>(inputs, out, std::ranges::set_intersection,
                                                                     detail::collect(tail...));
}

/// Writes the intersection of two ranges in ascending order; otherwise as the set_intersection() with a comparison.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable<It1, S1, It2, S2, Out, std::ranges::less>
Out set_intersection(It1 first1, S1 last1, It2 first2, S2 last2, Out out, const Options&... options) {
  return jackdaw::set_intersection(first1, last1, first2, last2, out, std::ranges::less{}, options...);
}

/// Writes the intersection of two sorted ranges; otherwise as the set_intersection() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable_ranges<R1, R2, Out, Less, Tail...>
Out set_intersection(R1&& range1, R2&& range2, Out out, Less less, const Tail&... tail) {
  return jackdaw::set_intersection(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                                   detail::last_of(range2), out, std::move(less), tail...);
}

/// Writes the intersection of two ranges in ascending order; otherwise as the set_intersection() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable_ranges<R1, R2, Out, std::ranges::less>
Out set_intersection(R1&& range1, R2&& range2, Out out, const Options&... options) {
  return jackdaw::set_intersection(range1, range2, out, std::ranges::less{}, options...);
}

/// Writes the elements of the first of two sorted ranges that the second one does not have; otherwise as set_union().
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable<It1, S1, It2, S2, Out, Less, Tail...>
Out set_difference(It1 first1, S1 last1, It2 first2, S2 last2, Out out, Less less, const Tail&... tail) {
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  return detail::set_operation<detail::set_rule{true, false, false}>(inputs, out, std::ranges::set_difference,
                                                                     detail::collect(tail...));
}

/// Writes the difference of two ranges in ascending order; otherwise as the set_difference() with a comparison.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable<It1, S1, It2, S2, Out, std::ranges::less>
Out set_difference(It1 first1, S1 last1, It2 first2, S2 last2, Out out, const Options&... options) {
  return jackdaw::set_difference(first1, last1, first2, last2, out, std::ranges::less{}, options...);
}

/// Writes the difference of two sorted ranges; otherwise as the set_difference() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable_ranges<R1, R2, Out, Less, Tail...>
Out set_difference(R1&& range1, R2&& range2, Out out, Less less, const Tail&... tail) {
  return jackdaw::set_difference(std::ranges::begin(range1), detail::last_of(range1), std::ranges::begin(range2),
                                 detail::last_of(range2), out, std::move(less), tail...);
}

/// Writes the difference of two ranges in ascending order; otherwise as the set_difference() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable_ranges<R1, R2, Out, std::ranges::less>
Out set_difference(R1&& range1, R2&& range2, Out out, const Options&... options) {
  return jackdaw::set_difference(range1, range2, out, std::ranges::less{}, options...);
}

/// Writes the elements that only one of two sorted ranges has; otherwise as set_union().
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable<It1, S1, It2, S2, Out, Less, Tail...>
Out set_symmetric_difference(It1 first1, S1 last1, It2 first2, S2 last2, Out out, Less less, const Tail&... tail) {
  const auto inputs = detail::inputs_of(first1, last1, first2, last2, less, tail...);
  return detail::set_operation<detail::set_rule{true, true, false}>(inputs, out, std::ranges::set_symmetric_difference,
                                                                    detail::collect(tail...));
}

/// Writes the symmetric difference of two ranges in ascending order; otherwise as the
/// set_symmetric_difference() with a comparison.
template <class It1, class S1, class It2, class S2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable<It1, S1, It2, S2, Out, std::ranges::less>
Out set_symmetric_difference(It1 first1, S1 last1, It2 first2, S2 last2, Out out, const Options&... options) {
  return jackdaw::set_symmetric_difference(first1, last1, first2, last2, out, std::ranges::less{}, options...);
}

/// Writes the symmetric difference of two sorted ranges; otherwise as the set_symmetric_difference() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, class Less = std::ranges::less,
          class... Tail>
  requires detail::mergeable_ranges<R1, R2, Out, Less, Tail...>
Out set_symmetric_difference(R1&& range1, R2&& range2, Out out, Less less, const Tail&... tail) {
  return jackdaw::set_symmetric_difference(std::ranges::begin(range1), detail::last_of(range1),
                                           std::ranges::begin(range2), detail::last_of(range2), out, std::move(less),
                                           tail...);
}

/// Writes the symmetric difference of two ranges in ascending order; otherwise as the
/// set_symmetric_difference() over iterators.
template <detail::loop_range R1, detail::loop_range R2, std::random_access_iterator Out, loop_option... Options>
  requires detail::mergeable_ranges<R1, R2, Out, std::ranges::less>
Out set_symmetric_difference(R1&& range1, R2&& range2, Out out, const Options&... options) {
  return jackdaw::set_symmetric_difference(range1, range2, out, std::ranges::less{}, options...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
