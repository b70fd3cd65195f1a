#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/head_start.hpp"
#include "jackdaw/invoke.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// for_leaves over loop_tree<no_weight>, the same tree and the same order, for loops whose leaves may be a few
/// instructions: what it forks is two indices and an address, and only a left half costs a call. Leaf as in a
/// forwarding reference: a small temporary is kept here, one look away from every leaf.
template <class Leaf>
class even_loop {
 public:
  /// `size` >= 1: the most elements of a leaf.
  even_loop(std::size_t size, std::remove_reference_t<Leaf>& leaf) : size_(size), leaf_(leaf) {}

  void run(std::size_t first, std::size_t last) {
    while (last - first > size_) {
      lane* const at = this_lane();
      if (at == nullptr) [[unlikely]] {
        run_slowly(first, last);
        return;
      }
      const std::size_t middle = first + (last - first) / 2;
      right_half right{this, middle, last};
      branch_of<right_half> later(right);
      if (!detail::run_exposing(at, [this, first, middle] { run(first, middle); }, later)) [[unlikely]] {
        return;
      }
      first = middle;
      if (last - first <= size_) look_up_if_asked();  // a longer one forks
    }
    leaf_(first, last);
  }

 private:
  /// A thief runs it under the control word of the loop's task.
  struct right_half {
    even_loop* loop;
    std::size_t first, last;
    void operator()() const { loop->run(first, last); }
    const control_word& control() const { return loop->control_; }
  };

  /// In the upper tier, or outside of tasks. More than one leaf.
  [[gnu::noinline]] void run_slowly(std::size_t first, std::size_t last) {
    if (size_ < head_start::least_leaf || !head_start::outside()) {
      rest(first, first, last);
      return;
    }
    std::size_t done = start(first, last);
    if (done == last) return;
    auto root = [this, first, &done, last] {
      done = start(done, last);
      if (done != last) rest(first, done, last);
    };
    head_start::run({root, {}});
  }

  /// Runs what the head start says, and returns the end of that.
  std::size_t start(std::size_t first, std::size_t last) {
    head_start ahead;
    while (first != last) {
      const std::size_t step = ahead.next(last - first, size_);
      if (step == 0) break;
      leaf_(first, first + step);
      first += step;
    }
    return first;
  }

  /// The tree of [first, last), whose elements before `done` have run: what is left keeps the place that it has without
  /// a head start, so the tree of a call does not depend on the time.
  void rest(std::size_t first, std::size_t done, std::size_t last) {
    while (last - first > size_) {
      const std::size_t middle = first + (last - first) / 2;
      if (done < middle) {
        jackdaw::invoke([this, first, done, middle] { done == first ? run(first, middle) : rest(first, done, middle); },
                        [this, middle, last] { run(middle, last); });
        return;
      }
      first = middle;
    }
    leaf_(done, last);
  }

  const std::size_t size_;
  kept<Leaf> leaf_;
  const control_word control_;
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
