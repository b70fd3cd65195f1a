#pragma once

#include <cstddef>
#include <type_traits>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/even_loop.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// `leaf(first, last)` over offsets into [0, count), split as the options say.
template <class Leaf, class W>
void loop_over(std::size_t count, Leaf&& leaf, loop_options<W>& options) {
  if (count == 0) return;
  // The number of workers is asked only if it matters: a loop with a grain may be a few instructions long.
  const std::size_t leaves = options.grain_size == 0 ? leaves_by_workers() : 1;
  const std::size_t size = leaf_size(count, options.grain_size, leaves);
  if constexpr (std::is_same_v<W, no_weight>) {
    even_loop<Leaf>(size, leaf).run(0, count);
  } else {
    loop_tree<W> tree(count, size, options.weigh);
    if (options.grain_size == 0) tree.balance(leaves);
    for_leaves(tree, tree.root(), leaf);
  }
}

/// The same with `piece(first, last)` over parts of leaves (pieces.hpp); `declare(first, last)` says before each leaf
/// what that uses.
template <class Declare, class Piece, class W>
void loop_in_pieces(std::size_t count, const Declare& declare, const Piece& piece, loop_options<W> options) {
  pieces cut(options.stop);
  auto leaf = [&](std::size_t first, std::size_t last) {
    declare(first, last);
    cut.run(last - first, [&](std::size_t from, std::size_t to) { piece(first + from, first + to); });
  };
  loop_over(count, leaf, options);
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
