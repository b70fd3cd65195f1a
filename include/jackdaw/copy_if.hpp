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

#include "jackdaw/detail/loop_blocks.hpp"
#include "jackdaw/loop.hpp"

namespace jackdaw {

/// Copies the elements of [first, last) that `pred` accepts to `out`, in their order; returns the end of the copies.
/// pred is called once an element. The ranges must not overlap; `out` needs room for what is kept only. Takes a bit of
/// memory an element (but 64 a leaf at least) for the time of the call: std::bad_alloc. A single leaf or a lone worker
/// copies in one pass without it. Exceptions as for for_range; the output is then unspecified. Declares what it reads and
/// writes, where that lies in memory one after the other.
template <std::random_access_iterator In, std::random_access_iterator Out, class Pred, loop_option... Options>
  requires std::predicate<Pred&, std::iter_reference_t<In>>
Out copy_if(In first, In last, Out out, Pred pred, const Options&... option_list) {
  auto options = detail::collect(option_list...);
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 0) return out;
  const detail::loop_blocks blocks{count, detail::leaf_size(count, options.grain_size, detail::leaves_by_size)};
  if (blocks.count() == 1 || concurrency() == 1) {
    detail::declare_reads(first, last);
    const Out start = out;
    for (In it = first; it != last; ++it)
      if (std::invoke(pred, *it)) *out++ = *it;
    detail::declare_writes(start, out);
    return out;
  }
  const auto input = [&](std::size_t i) -> decltype(auto) { return first[static_cast<std::iter_difference_t<In>>(i)]; };
  // Bit i of a block's words: whether its element i is kept. No two blocks share a word.
  constexpr std::size_t bits = 64;
  const std::size_t words = (std::min(blocks.size, count) + bits - 1) / bits;
  const auto kept = std::make_unique_for_overwrite<std::uint64_t[]>(blocks.count() * words);
  auto judge = [&](std::size_t block) {
    std::size_t accepted = 0;
    std::uint64_t* word = &kept[block * words];
    detail::declare_reads(first, blocks.begin_of(block), blocks.end_of(block));
    for (std::size_t i = blocks.begin_of(block), end = blocks.end_of(block); i != end; ++word) {
      const std::size_t size = std::min(bits, end - i);
      std::uint64_t mask = 0;
      for (std::size_t bit = 0; bit != size; ++bit)
        mask |= std::uint64_t{std::invoke(pred, input(i + bit)) ? 1u : 0u} << bit;
      *word = mask;
      accepted += static_cast<std::size_t>(std::popcount(mask));
      i += size;
    }
    return accepted;
  };
  auto scatter = [&](std::size_t block, const std::size_t* before) {
    const Out start = out + static_cast<std::iter_difference_t<Out>>(before == nullptr ? 0 : *before);
    Out at = start;
    detail::declare_reads(first, blocks.begin_of(block), blocks.end_of(block));
    const std::uint64_t* word = &kept[block * words];
    for (std::size_t i = blocks.begin_of(block), end = blocks.end_of(block); i < end; i += bits)
      for (std::uint64_t mask = *word++; mask != 0; mask &= mask - 1)
        *at++ = input(i + static_cast<std::size_t>(std::countr_zero(mask)));
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
