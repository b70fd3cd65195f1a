#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/placed_branch.hpp"
#include "jackdaw/runtime.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// `elements` >= 1 cut into blocks of `size` each; the last may be shorter.
struct loop_blocks {
  std::size_t elements;
  std::size_t size;

  std::size_t count() const { return elements / size + (elements % size != 0); }
  std::size_t begin_of(std::size_t block) const { return block * size; }
  std::size_t end_of(std::size_t block) const {
    return elements - begin_of(block) < size ? elements : begin_of(block) + size;
  }
};

/// The user's weights of blocks.
template <class W>
auto weigh_blocks(const loop_blocks& blocks, loop_options<W>& options) {
  return [&blocks, &options](std::size_t first, std::size_t last) {
    return first == last ? 0.0 : static_cast<double>(options.weigh(blocks.begin_of(first), blocks.end_of(last - 1)));
  };
}

/// Calls `use(tree)` with the tree over blocks, single blocks its leaves. Both sweeps of a scan walk the same tree, so
/// that they fork alike and a block's data is where its first sweep put it. Outside of tasks all that is one root.
template <class W, class Use>
auto with_block_tree(const loop_blocks& blocks, loop_options<W>& options, Use&& use) {
  const auto in_task = [&] {
    if constexpr (std::is_same_v<W, no_weight>) {
      return use(loop_tree<no_weight>(blocks.count(), 1, options.weigh));
    } else {
      auto weigh = weigh_blocks(blocks, options);
      return use(loop_tree<decltype(weigh)>(blocks.count(), 1, weigh));
    }
  };
  return outside_of_tasks() ? runtime::instance().run(in_task) : in_task();
}

/// The two sweeps of a scan over the blocks of a tree. `up` reduces all blocks and remembers at each inner node the sum
/// of its left half; `down` hands each block the sum of everything before it. Span: the tree's height plus two blocks.
template <class T, class Op, class Weigh>
class scan_sweeps {
 public:
  using tree = loop_tree<Weigh>;
  using node = typename tree::node;

  scan_sweeps(const tree& blocks, Op& op) : tree_(blocks), op_(op), left_sums_(blocks.root().last) {}

  /// `sum_block(block)` for every block; the sum of all.
  template <class SumBlock>
  T up(SumBlock& sum_block) {
    return up(tree_.root(), sum_block);
  }

  /// `scan_block(block, sum)` for every block, after `up` and once; sum points to what precedes the block, `init` (may
  /// be null) included, and is null where nothing does.
  template <class ScanBlock>
  void down(const T* init, ScanBlock& scan_block) {
    down(tree_.root(), init, scan_block);
  }

 private:
  template <class SumBlock>
  T up(const node& n, SumBlock& sum_block) {
    if (tree_.is_leaf(n)) return sum_block(n.first);
    const auto halves = tree_.halve(n);
    auto [left, right] = fork_halves(tree_, halves, [&](const node& half) -> T { return up(half, sum_block); });
    std::optional<T>& slot = left_sums_[halves.second.first];  // a block is the middle of one node at most
    slot.emplace(std::move(left));
    return combine<T>(op_, std::as_const(*slot), std::move(right));
  }

  template <class ScanBlock>
  void down(const node& n, const T* before, ScanBlock& scan_block) {
    if (tree_.is_leaf(n)) return scan_block(n.first, before);
    const auto halves = tree_.halve(n);
    std::optional<T>& slot = left_sums_[halves.second.first];
    if (before != nullptr) slot.emplace(combine<T>(op_, *before, std::move(*slot)));
    fork_halves(tree_, halves, [&](const node& half) {
      down(half, half.first == n.first ? before : std::addressof(*slot), scan_block);
    });
  }

  const tree& tree_;
  Op& op_;
  std::vector<std::optional<T>> left_sums_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
