#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/loop_blocks.hpp"
#include "jackdaw/loop.hpp"

namespace jackdaw {

/// Copies the elements of [first, last) that `pred` accepts to `out`, in their order; returns the end of the copies.
/// pred is called once an element. The ranges must not overlap; `out` needs room for what is kept only. Takes a byte of
/// memory an element for the time of the call, unless the range is one leaf. An exception from pred leaves the output
/// untouched, again unless the range is one leaf; std::bad_alloc.
template <std::random_access_iterator In, std::random_access_iterator Out, class Pred, loop_option... Options>
  requires std::predicate<Pred&, std::iter_reference_t<In>>
Out copy_if(In first, In last, Out out, Pred pred, const Options&... option_list) {
  auto options = detail::collect(option_list...);
  const auto count = static_cast<std::size_t>(last - first);
  if (count == 0) return out;
  const detail::loop_blocks blocks{count, detail::leaf_size(count, options.grain_size, detail::leaves_by_size)};
  if (blocks.count() == 1) {
    for (In it = first; it != last; ++it)
      if (std::invoke(pred, *it)) *out++ = *it;
    return out;
  }
  const auto input = [&](std::size_t i) -> decltype(auto) { return first[static_cast<std::iter_difference_t<In>>(i)]; };
  const auto kept = std::make_unique_for_overwrite<unsigned char[]>(count);
  auto judge = [&](std::size_t block) {
    std::size_t accepted = 0;
    for (std::size_t i = blocks.begin_of(block), end = blocks.end_of(block); i != end; ++i) {
      const bool keep = std::invoke(pred, input(i));
      kept[i] = keep;
      accepted += keep;
    }
    return accepted;
  };
  auto scatter = [&](std::size_t block, const std::size_t* before) {
    Out at = out + static_cast<std::iter_difference_t<Out>>(before == nullptr ? 0 : *before);
    for (std::size_t i = blocks.begin_of(block), end = blocks.end_of(block); i != end; ++i)
      if (kept[i]) *at++ = input(i);
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
