#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The blocks that a pack counts and then places.
template <class W>
loop_blocks pack_blocks(std::size_t count, const loop_options<W>& options) {
  return {count, leaf_size(count, options.grain_size, leaves_by_size)};
}

/// Whether one pass does: it needs no notes of what is kept.
inline bool packs_in_one_pass(const loop_blocks& blocks) { return blocks.count() == 1 || concurrency() == 1; }

/// `put(it, out)` for those of `count` > 0 elements that `keep(it, out)`, in order; the end of what was put.
template <class In, class Out, class Keep, class Put>
Out pack_serially(In first, std::size_t count, Out out, Keep& keep, const Put& put,
                  const std::stop_token* stop = nullptr) {
  pieces cut(stop);
  declare_reads(first, 0, count);
  Out at = out;
  cut.run(count, [&](std::size_t from, std::size_t to) {
    Out next = at;
    for (In it = at_offset(first, from); from != to; ++from, ++it)
      if (keep(it, next)) put(it, next), ++next;
    at = next;
  });
  declare_writes(out, at);
  return at;
}

/// The same by blocks: each judges its elements with `keep(it)`, all are counted, then each puts its own behind those
/// of the blocks before it. `room(total)` is called between these, and returns the place for all. Returns the total.
template <class In, class Keep, class Room, class Put, class W>
std::size_t pack(In first, const loop_blocks& blocks, Keep& keep, const Room& room, const Put& put,
                 loop_options<W>& options) {
  // Bit i of a block's words: whether its element i is kept. No two blocks share a word.
  constexpr std::size_t bits = 64;
  const std::size_t words = (std::min(blocks.size, blocks.elements) + bits - 1) / bits;
  const auto kept = std::make_unique_for_overwrite<std::uint64_t[]>(blocks.count() * words);
  pieces cut(options.stop), cut_words(options.stop);
  auto judge = [&](std::size_t block) {
    const std::size_t begin = blocks.begin_of(block), end = blocks.end_of(block);
    std::size_t accepted = 0;
    declare_reads(first, begin, end);
    cut.run(end - begin, [&](std::size_t from, std::size_t to) {
      std::size_t more = 0;
      In it = at_offset(first, begin + from);
      for (std::size_t i = from, size; i != to; i += size) {
        const std::size_t place = i % bits;
        size = std::min(bits - place, to - i);
        std::uint64_t mask = 0;
        for (std::size_t bit = 0; bit != size; ++bit, ++it) mask |= std::uint64_t{keep(it) ? 1u : 0u} << bit;
        std::uint64_t& word = kept[block * words + i / bits];
        word = place == 0 ? mask : word | mask << place;
        more += static_cast<std::size_t>(std::popcount(mask));
      }
      accepted += more;
    });
    return accepted;
  };
  return with_block_tree(blocks, options, [&]<class Weigh>(const loop_tree<Weigh>& tree) {
    std::plus<> plus;
    scan_sweeps<std::size_t, std::plus<>, Weigh> sweeps(tree, plus);
    const std::size_t total = sweeps.up(judge);
    const auto out = room(total);
    auto scatter = [&](std::size_t block, const std::size_t* before) {
      const std::size_t begin = blocks.begin_of(block), end = blocks.end_of(block);
      const auto start = at_offset(out, before == nullptr ? 0 : *before);
      auto at = start;
      declare_reads(first, begin, end);
      const std::size_t size = (end - begin + bits - 1) / bits;
      cut_words.run(size, [&](std::size_t from, std::size_t to) {
        auto next = at;
        for (; from != to; ++from) {
          const In it = at_offset(first, begin + from * bits);
          for (std::uint64_t mask = kept[block * words + from]; mask != 0; mask &= mask - 1)
            put(at_offset(it, static_cast<std::size_t>(std::countr_zero(mask))), next), ++next;
        }
        at = next;
      });
      declare_writes(start, at);
    };
    sweeps.down(nullptr, scatter);
    return total;
  });
}

/// Puts a copy of an element.
inline constexpr auto put_copy = [](const auto& it, const auto& out) { *out = *it; };

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
