#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "jackdaw/detail/algorithm/loop_tree.hpp"
#include "jackdaw/detail/algorithm/merge_path.hpp"
#include "jackdaw/detail/algorithm/pieces.hpp"
#include "jackdaw/detail/algorithm/sort_small.hpp"
#include "jackdaw/detail/algorithm/tail.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/first_exception.hpp"
#include "jackdaw/rounding.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Merges [a, a_last) and [b, b_last), stably with a first, into the objects at `out` by moves. If less throws, what is
/// left is moved too, unmerged.
template <class In, class Out, class Less>
void merge_moving(In a, In a_last, In b, In b_last, Out out, Less& less, pieces& cut) {
  struct rest {
    In a, a_last, b, b_last;
    Out out;
    ~rest() { std::move(b, b_last, std::move(a, a_last, out)); }
  } left{a, a_last, b, b_last, out};
  cut.run(static_cast<std::size_t>((a_last - a) + (b_last - b)), [&](std::size_t from, std::size_t to) {
    struct tracked {  // its address is not taken: it stays in registers
      rest& left;
      In a, b;
      Out out;
      ~tracked() { left.a = a, left.b = b, left.out = out; }
    } now{left, left.a, left.b, left.out};
    const In a_end = left.a_last, b_end = left.b_last;
    for (std::size_t most = to - from; most != 0 && now.a != a_end && now.b != b_end; --most) {
      if (less(*now.b, *now.a))
        *now.out = std::move(*now.b++);
      else
        *now.out = std::move(*now.a++);
      ++now.out;
    }
    return now.a != a_end && now.b != b_end;
  });
}

/// How merge_sorter sorts what it does not divide: a few elements, by comparisons of its own.
struct no_leaf_sort {};

/// Parallel stable merge sort of a range with a buffer of the same size, for types that move without exceptions.
///
/// With a `LeafSort`, `sorts(first, last, less)` sorts up to `leaf` elements; it may construct them, as no element is
/// looked at before. It must not throw. All steps are moves then, so that by an order that contradicts itself, too, the
/// range stays a permutation.
///
/// At any time every element is either in the range or in the buffer, and each step moves a whole stretch from one to
/// the other whatever less does: an exception from less is kept, the steps that remain only move, and the range ends
/// as a permutation of what it was. So no exception ever passes through a fork, and no step is skipped: one that cannot
/// be forked is a call.
template <class It, class Less, class Hint, class LeafSort = no_leaf_sort>
class merge_sorter {
 public:
  using value = std::iter_value_t<It>;

  /// `leaf` > 0: a longer merge has two halves that are not empty.
  merge_sorter(It first, std::size_t count, std::size_t leaf, Less& less, Hint& hint, LeafSort sorts = {})
      : first_(first),
        count_(count),
        leaf_(leaf),
        less_(less),
        hint_(hint),
        sorts_(std::move(sorts)),
        buffer_(std::allocator<value>().allocate(count)) {}
  merge_sorter(const merge_sorter&) = delete;
  merge_sorter& operator=(const merge_sorter&) = delete;
  ~merge_sorter() { std::allocator<value>().deallocate(buffer_, count_); }

  /// Once. Rethrows what less threw.
  void sort() {
    sort(0, count_, false);
    if constexpr (!by_copies) std::destroy_n(buffer_, count_);
    failure_.rethrow();
  }

 private:
  static constexpr bool sorts_itself = std::is_same_v<LeafSort, no_leaf_sort>;
  static constexpr bool by_copies = sorts_itself && sorts_branchless<value> && std::is_pointer_v<It>;

  std::size_t most_undivided() const { return sorts_itself ? static_cast<std::size_t>(most_small<value>) : leaf_; }

  auto range_at(std::size_t i) const { return first_ + static_cast<std::iter_difference_t<It>>(i); }

  template <class Step>
  void comparing(Step&& step) {
    JACKDAW_TRY { step(); }
    JACKDAW_CATCH { failure_.keep(); }
  }

  bool failed() const { return failure_.any(); }

  /// Sorts [first, last) of the range, leaving it there or in the buffer. Constructs that part of the buffer.
  void sort(std::size_t first, std::size_t last, bool into_buffer) {
    const std::size_t size = last - first;
    if (size <= most_undivided()) {
      cut_.run_whole([this, first, last, into_buffer] { sort_leaf(first, last, into_buffer); });
      return;
    }
    const std::size_t middle = first + size / 2;
    auto left = [&] { sort(first, middle, !into_buffer); };
    auto right = [&] { sort(middle, last, !into_buffer); };
    if (size <= leaf_) {
      left();
      right();
    } else {
      double left_work = 1, right_work = 1;
      comparing([&] {  // the hint is the user's, too
        if (failed()) return;
        left_work = hint_(first, middle);
        right_work = hint_(middle, last);
      });
      both(left, left_work, right, right_work);
    }
    if (into_buffer)
      merge(range_at(first), range_at(middle), range_at(middle), range_at(last), buffer_ + first);
    else
      merge(buffer_ + first, buffer_ + middle, buffer_ + middle, buffer_ + last, range_at(first));
  }

  void sort_leaf(std::size_t first, std::size_t last, bool into_buffer) {
    const It from = range_at(first);
    declare_reads(from, range_at(last));
    if (into_buffer)
      declare_writes(buffer_ + first, buffer_ + last);
    else
      declare_writes(from, range_at(last));
    if constexpr (!sorts_itself) {
      sorts_(from, range_at(last), less_);
      value* const begin = buffer_ + first;
      if (into_buffer || !by_copies) {
        value* const end = std::uninitialized_move(from, range_at(last), begin);
        if (!into_buffer) std::move(begin, end, from);
      }
    } else if constexpr (by_copies) {
      const auto size = static_cast<std::ptrdiff_t>(last - first);
      value* const out = into_buffer ? buffer_ + first : from;
      if (failed())
        std::uninitialized_copy_n(from, out == from ? 0 : size, out);
      else
        comparing([&] { sort_small_to(from, size, out, less_); });
    } else {
      value* const begin = buffer_ + first;
      value* const end = std::uninitialized_move(from, range_at(last), begin);
      if (!failed()) comparing([&] { insertion_sort(begin, begin, end, less_); });
      if (!into_buffer) std::move(begin, end, from);
    }
  }

  template <class In, class Out>
  void merge(In a, In a_last, In b, In b_last, Out out) {
    const auto a_size = a_last - a, b_size = b_last - b;
    if (static_cast<std::size_t>(a_size + b_size) <= leaf_) {
      merge_serial(a, a_last, b, b_last, out);
      return;
    }
    // Any two parts of these sizes hold every element; those found without an exception merge them as well.
    const auto left_size = (a_size + b_size) / 2;
    auto from_a = static_cast<std::size_t>(std::min(left_size, a_size));
    comparing([&] {
      if (failed()) return;
      from_a =
          merge_path(a, static_cast<std::size_t>(a_size), b, static_cast<std::size_t>(b_size),
                     static_cast<std::size_t>(left_size), [this](auto&& x, auto&& y) -> bool { return less_(y, x); });
    });
    const In a_middle = at_offset(a, from_a);
    const In b_middle = at_offset(b, static_cast<std::size_t>(left_size) - from_a);
    auto left = [&] { merge(a, a_middle, b, b_middle, out); };
    auto right = [&] { merge(a_middle, a_last, b_middle, b_last, out + left_size); };
    both(left, static_cast<double>(left_size), right, static_cast<double>(a_size + b_size - left_size));
  }

  /// Forks two steps, or calls them where they cannot be forked for want of memory or of a runtime. An exception from
  /// one of them ends the program: it could not be told from the fork's.
  template <class Left, class Right>
  static void both(Left& left, double left_work, Right& right, double right_work) {
    bool left_ran = false, right_ran = false;
    JACKDAW_TRY {
      jackdaw::invoke(jackdaw::work(left_work, [&]() noexcept { left(), left_ran = true; }),
                      jackdaw::work(right_work, jackdaw::keep_rounding([&]() noexcept { right(), right_ran = true; })));
    }
    JACKDAW_CATCH {
      if (!left_ran) left();
      if (!right_ran) right();
    }
  }

  template <class In, class Out>
  void merge_serial(In a, In a_last, In b, In b_last, Out out) {
    declare_reads(a, a_last);
    declare_reads(b, b_last);
    declare_writes(out, out + ((a_last - a) + (b_last - b)));
    if (failed())
      std::move(b, b_last, std::move(a, a_last, out));
    else if constexpr (by_copies)
      comparing([&] { merge_both_ways(a, a_last - a, b, b_last - b, out, less_, cut_); });
    else
      comparing([&] { merge_moving(a, a_last, b, b_last, out, less_, cut_); });
  }

  It first_;
  std::size_t count_;
  std::size_t leaf_;
  Less& less_;
  Hint& hint_;
  LeafSort sorts_;
  value* buffer_;
  first_exception failure_;
  pieces cut_;
};

/// Stable sort for types whose moves may throw: finds out where each element belongs, then moves them along the cycles
/// of that permutation, one move an element and one more a cycle. An exception from less changes nothing.
template <class It, class Less, class Hint>
void sort_places(It first, std::size_t count, std::size_t leaf, Less& less, Hint& hint) {
  const auto at = [first](std::size_t i) -> auto& { return first[static_cast<std::iter_difference_t<It>>(i)]; };
  std::vector<std::size_t> from(count);  // the element for place i is at from[i]
  std::iota(from.begin(), from.end(), std::size_t{0});
  auto less_at = [&](std::size_t x, std::size_t y) -> bool { return less(at(x), at(y)); };
  merge_sorter(from.data(), count, leaf, less_at, hint).sort();
  for (std::size_t start = 0; start != count; ++start) {
    if (from[start] == start) continue;
    hole gap(first + static_cast<std::iter_difference_t<It>>(start));
    std::size_t place = start;
    for (std::size_t next = from[place]; next != start; next = from[place]) {
      gap.move_to(first + static_cast<std::iter_difference_t<It>>(next));
      from[place] = place;
      place = next;
    }
    from[place] = place;
  }
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
