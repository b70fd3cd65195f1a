#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// Types that sorts copy around freely: cheap to move twice where that saves an unpredictable branch.
template <class T>
inline constexpr bool sorts_branchless = std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
                                         std::is_copy_assignable_v<T> && sizeof(T) <= 32;

/// Ranges this short are sorted by sort_small.
template <class T>
inline constexpr std::ptrdiff_t most_small = sorts_branchless<T> ? 32 : 12;

/// Uninitialised room for `Count` objects of a trivially copyable type.
template <class T, std::size_t Count>
struct scratch {
  alignas(T) std::byte bytes[Count * sizeof(T)];
  // Not by reinterpret_cast: users' -Wcast-align. NOLINTNEXTLINE(bugprone-casting-through-void)
  T* data() { return static_cast<T*>(static_cast<void*>(bytes)); }
};

/// An element taken out of a range, and the place left free; it goes back there when the hole ends. That may throw,
/// unless an exception has ended it: that one goes on.
template <class It>
struct hole {
  static constexpr bool cannot_throw = std::is_nothrow_assignable_v<std::iter_reference_t<It>, std::iter_value_t<It>>;

  std::iter_value_t<It> taken;
  It at;
  int passing = cannot_throw ? 0 : std::uncaught_exceptions();
  explicit hole(It from) : taken(std::move(*from)), at(from) {}
  hole(const hole&) = delete;
  hole& operator=(const hole&) = delete;
  ~hole() noexcept(cannot_throw) {
    if (cannot_throw || std::uncaught_exceptions() == passing) {
      *at = std::move(taken);
      return;
    }
    JACKDAW_TRY { *at = std::move(taken); }
    JACKDAW_CATCH {  // NOLINT(bugprone-empty-catch): the other exception goes on
    }
  }

  /// Fills the free place from `place`, which is then the free one.
  void move_to(It place) {
    *at = std::move(*place);
    at = place;
  }
};

/// Stable insertion sort of [first, last) of which [first, sorted) is sorted. If less throws, every element is back in
/// the range (provided that moves do not throw).
template <class It, class Less>
void insertion_sort(It first, It sorted, It last, Less& less) {
  for (It it = sorted; it != last; ++it) {
    if (it == first || !less(*it, *(it - 1))) continue;
    hole gap(it);
    do {
      gap.move_to(gap.at - 1);
    } while (gap.at != first && less(gap.taken, *(gap.at - 1)));
  }
}

/// Copies the four elements at `in`, stably sorted, to `out`, which does not overlap them: five comparisons, no branch.
template <class T, class Less>
void sort_four(const T* in, T* out, Less& less) {
  const bool swap_low = less(in[1], in[0]);
  const bool swap_high = less(in[3], in[2]);
  const T* a = in + swap_low;
  const T* b = in + !swap_low;
  const T* c = in + 2 + swap_high;
  const T* d = in + 2 + !swap_high;
  const bool c_first = less(*c, *a);
  const bool b_last = less(*d, *b);
  const T* least = c_first ? c : a;
  const T* most = b_last ? b : d;
  const T* left = c_first ? a : (b_last ? c : b);
  const T* right = b_last ? d : (c_first ? b : c);
  const bool swap_middle = less(*right, *left);
  out[0] = *least;
  out[1] = *(swap_middle ? right : left);
  out[2] = *(swap_middle ? left : right);
  out[3] = *most;
}

/// In place of pieces, for what is too short to be cut.
struct uncut {
  template <class Piece>
  void run(std::size_t count, const Piece& piece) const {
    piece(std::size_t{0}, count);
  }
};

/// What is left of a merge of [a, a_last] and [b, b_last] to [out, out_last].
template <class T>
struct merge_ends {
  const T *a, *a_last, *b, *b_last;
  T *out, *out_last;

  std::size_t a_size() const { return static_cast<std::size_t>(a_last - a + 1); }
  std::size_t b_size() const { return static_cast<std::size_t>(b_last - b + 1); }

  /// Takes one element from the front, or from the back, of inputs that are not empty.
  template <class Less>
  void take_first(Less& less) {
    const bool from_b = less(*b, *a);
    const T* next = from_b ? b : a;
    *out++ = *next;
    b += from_b;
    a += !from_b;
  }
  template <class Less>
  void take_last(Less& less) {
    const bool from_a = less(*b_last, *a_last);
    const T* last = from_a ? a_last : b_last;
    *out_last-- = *last;
    a_last -= from_a;
    b_last -= !from_a;
  }
};

/// Merges the sorted [a, a + a_size) and [b, b + b_size), stably with a first, to `out`, from both ends at once: the
/// two chains of comparisons overlap. If less throws, out holds all elements in some order.
template <class T, class Less, class Cut>
void merge_both_ways(const T* a, std::ptrdiff_t a_size, const T* b, std::ptrdiff_t b_size, T* out, Less& less,
                     Cut&& cut) {
  struct all_on_throw {
    const T *a, *b;
    std::ptrdiff_t a_size, b_size;
    T* out;
    bool armed = true;
    ~all_on_throw() {
      if (!armed) return;
      std::uninitialized_copy_n(a, a_size, out);
      std::uninitialized_copy_n(b, b_size, out + a_size);
    }
  } guard{a, b, a_size, b_size, out};
  merge_ends<T> left{a, a + a_size - 1, b, b + b_size - 1, out, out + a_size + b_size - 1};
  // Neither end can run out of either input within that many rounds, and together they take no element twice.
  cut.run(static_cast<std::size_t>(a_size < b_size ? a_size : b_size), [&](std::size_t from, std::size_t to) {
    merge_ends<T> now = left;  // its address is not taken: it stays in registers
    for (std::size_t rounds = to - from; rounds != 0; --rounds) {
      now.take_first(less);
      now.take_last(less);
    }
    left = now;
  });
  cut.run(left.a_size() + left.b_size(), [&](std::size_t from, std::size_t to) {
    merge_ends<T> now = left;
    for (std::size_t most = to - from; most != 0 && now.a <= now.a_last && now.b <= now.b_last; --most) {
      now.take_first(less);
    }
    left = now;
    return left.a <= left.a_last && left.b <= left.b_last;
  });
  while (left.a <= left.a_last) *left.out++ = *left.a++;
  while (left.b <= left.b_last) *left.out++ = *left.b++;
  guard.armed = false;
}

/// Sorts `size` <= most_small<T> trivially copyable elements stably from `in` to `out`, which are the same or do not
/// overlap. If less throws, out holds all elements in some order (or, where it is `in`, is unchanged).
template <class T, class Less>
void sort_small_to(T* in, std::ptrdiff_t size, T* out, Less& less) {
  if (size < 8) {
    if (in != out) std::uninitialized_copy_n(in, size, out);
    insertion_sort(out, out, out + size, less);
    return;
  }
  scratch<T, most_small<T>> halves_room;
  scratch<T, 16> fours_room;
  T* const halves = halves_room.data();
  const std::ptrdiff_t left_size = size / 2, right_size = size - left_size;
  const auto sort_half = [&](const T* from, std::ptrdiff_t length, T* to) {
    std::ptrdiff_t done = 4;
    if (length >= 8) {
      T* const fours = fours_room.data();
      sort_four(from, fours, less);
      sort_four(from + 4, fours + 4, less);
      merge_both_ways(fours, 4, fours + 4, 4, to, less, uncut());
      done = 8;
    } else {
      sort_four(from, to, less);
    }
    std::uninitialized_copy_n(from + done, length - done, to + done);
    insertion_sort(to, to + done, to + length, less);
  };
  struct copy_on_throw {
    T *in, *out;
    std::ptrdiff_t size;
    bool armed;
    ~copy_on_throw() {
      if (armed) std::uninitialized_copy_n(in, size, out);
    }
  } guard{in, out, size, in != out};
  sort_half(in, left_size, halves);
  sort_half(in + left_size, right_size, halves + left_size);
  guard.armed = false;
  merge_both_ways(halves, left_size, halves + left_size, right_size, out, less, uncut());
}

/// Sorts [first, last), most_small elements at most.
template <class It, class Less>
void sort_small(It first, It last, Less& less) {
  using value = std::iter_value_t<It>;
  if constexpr (sorts_branchless<value> && std::is_pointer_v<It>)
    sort_small_to(first, last - first, first, less);
  else
    insertion_sort(first, first, last, less);
}

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
