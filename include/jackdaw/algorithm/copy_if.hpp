#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// Copies the elements of [first, last) that `pred` accepts to `out`, in their order.
///
/// Over contiguous iterators each leaf declares what it reads and writes.
///
/// @param first The beginning of the input.
/// @param last The end of the input.
/// @param out The beginning of the output, which must not overlap the input. It needs room for the accepted elements
/// only. Neighbouring elements must not share bytes, as those of std::vector<bool> do.
/// @param pred The predicate. It is called once for each element, by several workers at the same time.
/// @param option_list A grain and a work_of.
/// @return The end of the copies.
/// @throws std::bad_alloc if there is no memory for the bits below.
/// @throws anything that `pred` or an assignment throws, as for_index() does. The output is then unspecified.
/// @par Complexity
/// For n elements and grain g: work O(n), span O(g + log(n/g)), counting calls of `pred` and assignments. The call
/// needs n bits of memory, at least 64 for each leaf, and n/g counts. A single leaf, or a single worker, copies in one
/// pass without them.
template <std::random_access_iterator In, std::random_access_iterator Out, class Pred, loop_option... Options>
  requires std::predicate<Pred&, std::iter_reference_t<In>>
Out copy_if(In first, In last, Out out, Pred pred, const Options&... option_list) {
  auto options = detail::collect(option_list...);
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 0) return out;
  const auto input_at = [first](std::size_t i) { return first + static_cast<std::iter_difference_t<In>>(i); };
  detail::pieces cut, cut_words;
  const detail::loop_blocks blocks{count, detail::leaf_size(count, options.grain_size, detail::leaves_by_size)};
  if (blocks.count() == 1 || concurrency() == 1) {
    detail::declare_reads(first, last);
    Out at = out;
    cut.run(count, [&](std::size_t from, std::size_t to) {
      Out next = at;
      for (In it = input_at(from); from != to; ++from, ++it)
        if (std::invoke(pred, *it)) *next++ = *it;
      at = next;
    });
    detail::declare_writes(out, at);
    return at;
  }
  // Bit i of a block's words: whether its element i is kept. No two blocks share a word.
  constexpr std::size_t bits = 64;
  const std::size_t words = (std::min(blocks.size, count) + bits - 1) / bits;
  const auto kept = std::make_unique_for_overwrite<std::uint64_t[]>(blocks.count() * words);
  auto judge = [&](std::size_t block) {
    const std::size_t begin = blocks.begin_of(block), end = blocks.end_of(block);
    std::size_t accepted = 0;
    detail::declare_reads(first, begin, end);
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      std::size_t more = 0;
      In it = input_at(begin + from);
      for (std::size_t i = from, size; i != to; i += size) {
        const std::size_t place = i % bits;
        size = std::min(bits - place, to - i);
        std::uint64_t mask = 0;
        for (std::size_t bit = 0; bit != size; ++bit, ++it)
          mask |= std::uint64_t{std::invoke(pred, *it) ? 1u : 0u} << bit;
        std::uint64_t& word = kept[block * words + i / bits];
        word = place == 0 ? mask : word | mask << place;
        more += static_cast<std::size_t>(std::popcount(mask));
      }
      accepted += more;
    });
    return accepted;
  };
  auto scatter = [&](std::size_t block, const std::size_t* before) {
    const std::size_t begin = blocks.begin_of(block), end = blocks.end_of(block);
    const Out start = out + static_cast<std::iter_difference_t<Out>>(before == nullptr ? 0 : *before);
    Out at = start;
    detail::declare_reads(first, begin, end);
    const std::size_t size = (end - begin + bits - 1) / bits;
    cut_words.run(size, [&](std::size_t from, std::size_t to) {
      Out next = at;
      for (; from != to; ++from) {
        const In it = input_at(begin + from * bits);
        for (std::uint64_t mask = kept[block * words + from]; mask != 0; mask &= mask - 1)
          *next++ = it[std::countr_zero(mask)];
      }
      at = next;
    });
    detail::declare_writes(start, at);
  };
  const std::size_t total =
      detail::with_block_tree(blocks, options, [&]<class Weigh>(const detail::loop_tree<Weigh>& tree) {
        std::plus<> plus;
        detail::scan_sweeps<std::size_t, std::plus<>, Weigh> sweeps(tree, plus);
        const std::size_t sum = sweeps.up(judge);
        sweeps.down(nullptr, scatter);
        return sum;
      });
  return out + static_cast<std::iter_difference_t<Out>>(total);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
