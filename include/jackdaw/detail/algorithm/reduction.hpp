#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "jackdaw/algorithm/loop.hpp"
#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/head_start.hpp"
#include "jackdaw/detail/placed_branch.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Combines in order what `fold_leaf(first, last)` returns for the leaves of a node of the tree.
template <class T, class Weigh, class FoldLeaf, class Op>
T reduce_tree(const loop_tree<Weigh>& tree, const typename loop_tree<Weigh>::node& n, FoldLeaf& fold_leaf, Op& op) {
  if (tree.is_leaf(n)) return fold_leaf(n.first, n.last);
  auto [left, right] = fork_halves(tree, tree.halve(n),
                                   [&](const auto& half) -> T { return reduce_tree<T>(tree, half, fold_leaf, op); });
  return combine<T>(op, std::move(left), std::move(right));
}

/// A reduction outside of tasks. Its root begins with a head start: whole leaves, in order. When that ends, the values
/// of the subtrees that are done stay, and the rest goes on as in reduce_tree(). So what is combined with what, and the
/// result, do not depend on the time.
template <class T, class FoldLeaf, class Op>
class reduction {
 public:
  using tree_type = loop_tree<no_weight>;

  reduction(const tree_type& tree, FoldLeaf& fold_leaf, Op& op) : tree_(tree), fold_leaf_(fold_leaf), op_(op) {}

  /// The tree has two leaves at least.
  T run() {
    std::optional<T> result;
    auto root = [&] { result.emplace(begin()); };
    run_as_root({root, {}});
    return std::move(*result);
  }

 private:
  using node = tree_type::node;

  /// A node whose leaves the head start has come to, on the stack of the task.
  struct level {
    std::pair<node, node> halves;
    std::optional<T> left;   ///< of the first half; empty: the head start is still in that
    level* below = nullptr;  ///< in the half that it is in; null: it has not come there yet
  };

  T begin() {
    std::optional<head_start> ahead(std::in_place, history, tree_.root().size());
    ahead_ = &ahead;
    if (goes_on()) return start(tree_.root(), top_);
    ahead.reset();
    return measured(tree_.root());
  }

  /// Whether another leaf is to be run now.
  bool goes_on() {
    const std::size_t leaf = tree_.largest_leaf(), all = tree_.root().size();
    if (granted_ <= 0) granted_ += static_cast<std::int64_t>((*ahead_)->next(all, leaf));
    return granted_ > 0;
  }

  /// Returns the value of the node; or, if the head start has ended within, that of the whole tree.
  T start(const node& n, level*& link) {
    if (tree_.is_leaf(n)) {
      granted_ -= static_cast<std::int64_t>(n.size());
      return fold_leaf_(n.first, n.last);
    }
    level here{tree_.halve(n), {}, nullptr};
    link = &here;
    T left = start(here.halves.first, here.below);
    if (ended_) return left;
    here.left.emplace(std::move(left));
    here.below = nullptr;
    if (!goes_on()) {
      ended_ = true;
      ahead_->reset();
      return rest(*top_);
    }
    T right = start(here.halves.second, here.below);
    if (ended_) return right;
    return combine<T>(op_, std::move(*here.left), std::move(right));
  }

  T rest(level& at) {
    const auto second = [&] { return at.below != nullptr ? rest(*at.below) : part(at.halves.second); };
    if (at.left) return combine<T>(op_, std::move(*at.left), second());
    auto [left, right] = fork_halves(tree_, at.halves, [&](const node& half) -> T {
      return &half == &at.halves.first ? rest(*at.below) : part(half);
    });
    return combine<T>(op_, std::move(left), std::move(right));
  }

  T part(const node& n) { return reduce_tree<T>(tree_, n, fold_leaf_, op_); }

  /// The same for a node that begins with the first element; measures what a part of the elements takes.
  T measured(const node& n) {
    constexpr std::size_t parts = 16;
    if (tree_.is_leaf(n) || n.size() <= tree_.root().size() / parts) {
      const std::int64_t began = head_start::time();
      T value = part(n);
      history.measured(n.size(), head_start::time() - began);
      return value;
    }
    auto [left, right] = fork_halves(
        tree_, tree_.halve(n), [&](const node& half) -> T { return half.first == 0 ? measured(half) : part(half); });
    return combine<T>(op_, std::move(left), std::move(right));
  }

  /// Of all calls with such a leaf; hidden as that of even_loop.
  [[gnu::visibility("hidden")]] inline static loop_history history;

  const tree_type& tree_;
  FoldLeaf& fold_leaf_;
  Op& op_;
  std::optional<head_start>* ahead_ = nullptr;
  level* top_ = nullptr;
  std::int64_t granted_ = 0;  // elements that the head start has let pass and that have not run
  bool ended_ = false;
};

/// Combines in order what `fold_leaf(first, last)` returns for the leaves of [0, count), count > 0.
template <class T, class FoldLeaf, class Op, class W>
T reduce_leaves(std::size_t count, FoldLeaf& fold_leaf, Op& op, loop_options<W>& options) {
  const loop_tree<W> tree(count, leaf_size(count, options.grain_size, leaves_by_size), options.weigh);
  if constexpr (std::is_same_v<W, no_weight>) {
    if (outside_of_tasks() && !tree.is_leaf(tree.root())) return reduction<T, FoldLeaf, Op>(tree, fold_leaf, op).run();
  }
  return reduce_tree<T>(tree, tree.root(), fold_leaf, op);
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
