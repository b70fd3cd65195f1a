#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_serial.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/rounding.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Calls `body(first, last)` for pieces of [0, count) of `leaf` elements at most.
template <class Body>
void for_pieces(std::size_t count, std::size_t leaf, Body&& body) {
  no_weight none;
  const loop_tree<no_weight> tree(count, leaf, none);
  for_leaves(tree, tree.root(), body);
}

/// Stretches of a range that together hold `total` elements, numbered through.
class stretches {
 public:
  void add(std::size_t first, std::size_t last) {
    if (first >= last) return;
    parts_.push_back({first, total_});
    total_ += last - first;
  }

  std::size_t total() const { return total_; }

  /// Where element `number` lies, and how many from there on are in one stretch.
  std::pair<std::size_t, std::size_t> find(std::size_t number) const {
    const auto above = [](std::size_t n, const part& p) { return n < p.before; };
    const auto next = std::upper_bound(parts_.begin(), parts_.end(), number, above);
    const part& p = *(next - 1);
    const std::size_t end = next == parts_.end() ? total_ : next->before;
    return {p.first + (number - p.before), end - number};
  }

 private:
  struct part {
    std::size_t first;
    std::size_t before;
  };
  std::vector<part> parts_;
  std::size_t total_ = 0;
};

/// As partition_serial, in `chunks` >= 1 parts at once, in place: each chunk is partitioned by itself, then what lies
/// on the wrong side of the whole's boundary changes places. Work O(n), span O(n / chunks + log n).
template <class It, class GoesLeft>
It partition_parallel(It first, It last, std::size_t chunks, GoesLeft& goes_left, pieces& cut) {
  using difference = std::iter_difference_t<It>;
  const auto at = [first](std::size_t offset) { return first + static_cast<difference>(offset); };
  const auto count = static_cast<std::size_t>(last - first);
  const std::size_t chunk_size = leaf_size(count, 0, chunks);
  std::vector<std::size_t> split_at(leaf_size(count, 0, chunk_size));
  const auto end_of = [&](std::size_t chunk) { return std::min(count, (chunk + 1) * chunk_size); };
  for_pieces(split_at.size(), 1, [&](std::size_t chunk, std::size_t) {
    declare_reads(at(chunk * chunk_size), at(end_of(chunk)));
    declare_writes(at(chunk * chunk_size), at(end_of(chunk)));
    const It middle = partition_serial(at(chunk * chunk_size), at(end_of(chunk)), goes_left, cut);
    split_at[chunk] = static_cast<std::size_t>(middle - first);
  });

  std::size_t boundary = 0;
  for (std::size_t chunk = 0; chunk != split_at.size(); ++chunk) boundary += split_at[chunk] - chunk * chunk_size;
  stretches wrong_left, wrong_right;  // of equal total: what should lie on the right, and what on the left
  for (std::size_t chunk = 0; chunk != split_at.size(); ++chunk) {
    wrong_left.add(split_at[chunk], std::min(end_of(chunk), boundary));
    wrong_right.add(std::max(chunk * chunk_size, boundary), split_at[chunk]);
  }
  for_pieces(wrong_left.total(), std::max<std::size_t>(1, chunk_size / 2), [&](std::size_t number, std::size_t end) {
    while (number != end) {
      const auto [left, left_size] = wrong_left.find(number);
      const auto [right, right_size] = wrong_right.find(number);
      const std::size_t size = std::min({left_size, right_size, end - number});
      for (const std::size_t start : {left, right}) {
        declare_reads(at(start), at(start + size));
        declare_writes(at(start), at(start + size));
      }
      std::swap_ranges(at(left), at(left + size), at(right));
      number += size;
    }
  });
  return at(boundary);
}

/// Parallel quicksort of [first, last), in place. `hint(first, last)` is the work of a part, by offsets.
template <class It, class Less, class Hint>
class quick_sorter {
 public:
  /// `leaf` >= 8, as quick_step needs.
  quick_sorter(It first, It last, std::size_t leaf, Less& less, Hint& hint)
      : first_(first),
        less_(less),
        hint_(hint),
        leaf_(leaf),
        shared_(static_cast<std::size_t>(last - first) / concurrency()) {}

  void sort(It first, It last, bool leftmost, unsigned bad_allowed) {
    while (static_cast<std::size_t>(last - first) > leaf_ && bad_allowed != 0) {
      const quick_parts<It> parts = step(first, last, leftmost);
      if (parts.left_last == first) {
        first = parts.right_first;
        leftmost = false;
        continue;
      }
      if (is_bad_step(first, last, parts)) --bad_allowed;
      auto left = [&] { sort(first, parts.left_last, leftmost, bad_allowed); };
      auto right = [&] { sort(parts.right_first, last, false, bad_allowed); };
      return jackdaw::invoke(jackdaw::work(work_in(first, parts.left_last), left),
                             jackdaw::work(work_in(parts.right_first, last), jackdaw::keep_rounding(right)));
    }
    sort_here(first, last, leftmost, bad_allowed);
  }

  /// Sorts no more of [first, last) than moves the element for `nth` there.
  void select(It first, It nth, It last, unsigned bad_allowed) {
    if (nth == last) return;
    bool leftmost = true;
    while (last - first > most_small<std::iter_value_t<It>> && bad_allowed != 0) {
      const quick_parts<It> parts = step(first, last, leftmost);
      if (is_bad_step(first, last, parts)) --bad_allowed;
      if (nth < parts.left_last) {
        last = parts.left_last;
      } else if (nth >= parts.right_first) {
        first = parts.right_first;
        leftmost = false;
      } else {
        return;
      }
    }
    sort_here(first, last, leftmost, bad_allowed);
  }

 private:
  static constexpr std::size_t least_chunk = 4096;

  quick_parts<It> step(It first, It last, bool leftmost) {
    const auto split = [this](It from, It to, auto goes_left) { return this->partition(from, to, goes_left); };
    return quick_step(first, last, leftmost, less_, split);
  }

  void sort_here(It first, It last, bool leftmost, unsigned bad_allowed) {
    declare_reads(first, last);
    declare_writes(first, last);
    sort_serial(first, last, leftmost, bad_allowed, less_, cut_);
  }

  /// Workers share a partition as long as there are fewer parts than workers; its chunks are several a worker.
  template <class GoesLeft>
  It partition(It first, It last, GoesLeft& goes_left) {
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t workers = concurrency();
    const std::size_t chunks = std::min(4 * workers, count / least_chunk);
    if (workers == 1 || chunks < 2 || count <= shared_) {
      declare_reads(first, last);
      declare_writes(first, last);
      return partition_serial(first, last, goes_left, cut_);
    }
    return partition_parallel(first, last, chunks, goes_left, cut_);
  }

  double work_in(It first, It last) const {
    return hint_(static_cast<std::size_t>(first - first_), static_cast<std::size_t>(last - first_));
  }

  It first_;
  Less& less_;
  Hint& hint_;
  std::size_t leaf_;
  std::size_t shared_;
  pieces cut_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
