#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/head_start.hpp"
#include "jackdaw/detail/placed_branch.hpp"
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
    if (!outside_of_tasks()) {
      rest(first, first, last);
      return;
    }
    std::size_t done = size_ >= head_start::least_leaf ? start(first, last) : first;
    if (done == last) return;
    auto root = [this, first, &done, last] {
      done = start(done, last);
      measures_ = true;
      if (done != last) rest(first, done, last);
    };
    run_as_root({root, {}});
  }

  /// Runs what the head start says, and returns the end of that.
  std::size_t start(std::size_t first, std::size_t last) {
    head_start ahead(history, last - first);
    while (const std::size_t step = ahead.next(size_)) {
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
        jackdaw::invoke(
            [this, first, done, middle] {
              done != first || (measures_ && first == 0) ? rest(first, done, middle) : run(first, middle);
            },
            right_half{this, middle, last});
        return;
      }
      first = middle;
    }
    const std::int64_t began = measures_ && first == 0 ? head_start::time() : 0;
    leaf_(done, last);
    if (began != 0) history.measured(last - done, head_start::time() - began);
  }

  /// Of all calls with such a leaf, which mostly are those of one loop. Hidden: otherwise it would be a symbol that is
  /// unique in the process, and a plugin that has one cannot be unloaded.
  [[gnu::visibility("hidden")]] inline static loop_history history;

  const std::size_t size_;
  kept<Leaf> leaf_;
  const control_word control_;
  bool measures_ = false;  // the first leaf; in a root of the loop alone
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
