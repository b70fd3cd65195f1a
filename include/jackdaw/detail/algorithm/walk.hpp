#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/algorithm/loop_blocks.hpp"
#include "jackdaw/detail/algorithm/loop_over.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Where blocks of a range begin that only a walk gets through. All blocks but the last have the same size.
template <class It>
class walk {
 public:
  /// `size`: of a block; 0 for as many blocks as there are elements, or half of `most` to `most` if these are more.
  template <class S>
  walk(It first, S last, std::size_t size) : size_(size == 0 ? 1 : size) {
    for (std::size_t left = 0; first != last; ++first, ++count_, --left) {
      if (left != 0) continue;
      if (size == 0 && starts_.size() == most) double_size();
      starts_.push_back(first);
      left = size_;
    }
  }

  /// `leaf(first, last)` over blocks.
  template <class Leaf, class W>
  void for_blocks(Leaf& leaf, loop_options<W>& options) const {
    if (count_ == 0) return;
    const loop_blocks blocks{count_, size_};
    // Blocks of a size that the user gave are leaves.
    const std::size_t most_blocks = options.grain_size == 0 ? 0 : 1;
    if constexpr (std::is_same_v<W, no_weight>) {
      loop_options<no_weight> by_block{most_blocks, {}};
      loop_over(blocks.count(), leaf, by_block);
    } else {
      auto weigh = weigh_blocks(blocks, options);
      loop_options<decltype(weigh)> by_block{most_blocks, weigh};
      loop_over(blocks.count(), leaf, by_block);
    }
  }

  const It& start_of(std::size_t block) const { return starts_[block]; }
  std::size_t elements_in(std::size_t first, std::size_t last) const {
    return (last == starts_.size() ? count_ : last * size_) - first * size_;
  }

 private:
  static constexpr std::size_t most = 1024;

  void double_size() {
    for (std::size_t i = 1; i != most / 2; ++i) starts_[i] = std::move(starts_[2 * i]);
    starts_.resize(most / 2, starts_.front());
    size_ *= 2;
  }

  std::vector<It> starts_;
  std::size_t size_;
  std::size_t count_ = 0;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
