// What translated Cilk programs in C++ call. See compat/cilk/README.md.
#pragma once

#include <jackdaw/invoke.hpp>
#include <jackdaw/runtime.hpp>
#include <jackdaw/task_group.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "jackdaw_cilk.h"
#include "jackdaw_cilk_updates.hpp"
#include "jackdaw_cilk_views.hpp"

namespace jackdaw::cilk {

/// The children of one function, loop body, block or scope. Only its own task uses it.
class frame {
 public:
  frame() noexcept {}
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;
  /// Where a jump leaves the scope; elsewhere there are no children left.
  ~frame() noexcept(false) {
    if (state_ == 0) [[likely]]
      return;
    if (std::uncaught_exceptions() > 0) {
      settle();
    } else {
      sync();
    }
  }

  /// Runs f() as a child, which starts at once. The caller continues here, perhaps on another thread.
  template <class F>
  void spawn(F&& f) {
    state_ |= open;
    if (jackdaw_cilk_views_used == 0) [[likely]] {
      group_.run(std::forward<F>(f));
      return;
    }
    more& with = extended();
    strand* const mine = this_strand();
    if (!with.views.begun()) with.views.begin(mine);
    const unsigned number = ++with.spawned;
    group_.run([&with, mine, number, function = std::forward<F>(f)]() mutable {
      set_strand(mine);
      function();
      // The last access of the child to its views; the parent's acquire pairs with it.
      with.ended.store(number, std::memory_order_release);
    });
    // Another child may have written a later number over this one's: an identity view too many does no harm.
    set_strand(with.ended.load(std::memory_order_acquire) == number ? mine : with.views.add());
  }

  /// Runs call() as a child. The sync calls apply(value) with what it has returned.
  template <class F, class A>
  void spawn_update(F&& call, A&& apply) {
    using made = update_by<std::decay_t<std::invoke_result_t<F&>>, std::decay_t<A>>;
    auto kept = std::make_unique<made>(std::forward<A>(apply));
    made* const into = kept.get();
    extended().to_apply.add(std::move(kept));
    spawn([into, function = std::forward<F>(call)]() mutable { into->make(function); });
  }

  /// Waits for the children and rethrows the first exception of one.
  void sync() {
    if (state_ == open) [[likely]] {
      state_ = 0;
      group_.wait();
    } else if (state_ != 0) {
      sync_extended();
    }
  }

  /// sync() while an exception passes, which hides those of the children.
  void settle() noexcept {
    if (state_ == 0) return;
    try {
      sync();
    } catch (...) {
    }
  }

 private:
  friend struct c_frame;

  /// What most frames never need.
  struct more {
    segments views;
    unsigned spawned = 0;
    std::atomic<unsigned> ended = 0;
    updates to_apply;
  };
  static constexpr std::uint8_t open = 1;         // there may be children
  static constexpr std::uint8_t is_extended = 2;  // more_ is constructed

  more& extended() {
    if ((state_ & is_extended) == 0) {
      ::new (static_cast<void*>(&more_)) more;
      state_ |= is_extended;
    }
    return more_;
  }
  void sync_extended();

  jackdaw::task_group group_;
  std::uint8_t state_ = 0;
  union {
    more more_;
  };
};

/// Syncs when a return statement has computed its value and before locals are destroyed.
class at_return {
 public:
  explicit at_return(frame& of) noexcept : of_(of), passing_(std::uncaught_exceptions()) {}
  at_return(const at_return&) = delete;
  at_return& operator=(const at_return&) = delete;
  ~at_return() noexcept(false) {
    if (std::uncaught_exceptions() > passing_) {
      of_.settle();
    } else {
      of_.sync();
    }
  }

 private:
  frame& of_;
  int passing_;
};

/// Stands behind a local variable with a destructor: an exception waits for the children before it destroys that.
class at_unwind {
 public:
  explicit at_unwind(frame& of) noexcept : of_(of) {}
  at_unwind(const at_unwind&) = delete;
  at_unwind& operator=(const at_unwind&) = delete;
  ~at_unwind() {
    if (std::uncaught_exceptions() > 0) of_.settle();
  }

 private:
  frame& of_;
};

/// Room for a variable that a child constructs. If no child does, because it has thrown, nothing is destroyed.
template <class T, bool = std::is_trivially_destructible_v<T>>
struct later {
  later() noexcept {}
  template <class F>
  void make(F&& f) {
    ::new (static_cast<void*>(std::addressof(value))) T(f());
  }
  union {
    T value;
  };
};
template <class T>
struct later<T, false> {
  later() noexcept {}
  later(const later&) = delete;
  later& operator=(const later&) = delete;
  ~later() {
    if (made) value.~T();
  }
  template <class F>
  void make(F&& f) {
    ::new (static_cast<void*>(std::addressof(value))) T(f());
    made = true;
  }
  union {
    T value;
  };
  bool made = false;
};

/// What stands before `->` of a spawned call, evaluated in the parent. A temporary lives as long as the child.
template <class T>
auto arrow(T&& of) {
  if constexpr (std::is_pointer_v<std::decay_t<T>>) {
    return of;
  } else if constexpr (std::is_lvalue_reference_v<T>) {
    return of.operator->();
  } else {
    return std::forward<T>(of);
  }
}

/// at_unwind for a variable of type T, if it needs one.
template <class T, bool = std::is_trivially_destructible_v<T>>
struct at_unwind_of {
  explicit at_unwind_of(frame&) noexcept {}
};
template <class T>
struct at_unwind_of<T, false> : at_unwind {
  using at_unwind::at_unwind;
};

inline std::uint64_t grain_of(std::uint64_t count, std::uint64_t asked) {
  if (asked != 0) return asked;
  return std::clamp<std::uint64_t>(count / (8ull * jackdaw::concurrency()), 1, 2048);
}

template <class F>
void halve(std::uint64_t first, std::uint64_t last, std::uint64_t grain, F& body) {
  if (last - first <= grain) {
    for (; first != last; ++first) body(first);
    return;
  }
  const std::uint64_t middle = first + (last - first) / 2;
  if (jackdaw_cilk_views_used == 0) [[likely]] {
    jackdaw::invoke([&] { halve(first, middle, grain, body); }, [&] { halve(middle, last, grain, body); });
    return;
  }
  strand* const mine = this_strand();
  std::atomic<bool> left_ended = false;
  segments parts;
  parts.begin(mine);
  struct merging {
    ~merging() { of.merge(); }
    segments& of;
  } const afterwards{parts};
  jackdaw::invoke(
      [&] {
        set_strand(mine);
        halve(first, middle, grain, body);
        left_ended.store(true, std::memory_order_release);
      },
      [&] {
        set_strand(left_ended.load(std::memory_order_acquire) ? mine : parts.add());
        halve(middle, last, grain, body);
      });
}

/// Calls body(i) for 0 to count - 1.
template <class F>
void repeat(std::uint64_t count, std::uint64_t grain, F&& body) {
  if (count == 0) return;
  grain = grain_of(count, grain);
  if (count > grain && !jackdaw::this_worker()) {
    jackdaw::runtime::instance().run([&] { halve(0, count, grain, body); });
  } else {
    halve(0, count, grain, body);
  }
}

enum class until : std::uint8_t { less, less_equal, greater, greater_equal, unequal };

/// How often `for (i = first; i <op> last; i += stride)` repeats; stride is negative where the loop counts down.
template <until Op, class T, class E, class S>
std::uint64_t trips(const T& first, const E& last, const S& stride) {
  constexpr bool up = Op == until::less || Op == until::less_equal;
  constexpr bool inclusive = Op == until::less_equal || Op == until::greater_equal;
  std::uint64_t distance = 0;
  bool rising = up;
  if constexpr (Op == until::unequal) rising = stride > 0;
  if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) {
    using common = std::common_type_t<T, E>;
    const auto a = static_cast<common>(first);
    const auto b = static_cast<common>(last);
    if constexpr (Op != until::unequal) {
      if (up ? (inclusive ? a > b : a >= b) : (inclusive ? a < b : a <= b)) return 0;
    }
    distance = rising ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                      : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
  } else {
    const auto between = rising ? last - first : first - last;
    if (Op != until::unequal && (inclusive ? between < 0 : between <= 0)) return 0;
    distance = static_cast<std::uint64_t>(between);
  }
  const auto wide = static_cast<std::int64_t>(stride);
  const std::uint64_t step = rising ? static_cast<std::uint64_t>(wide) : 0 - static_cast<std::uint64_t>(wide);
  return inclusive ? distance / step + 1 : distance / step + (distance % step != 0 ? 1 : 0);
}

template <class S>
std::int64_t signed_stride(const S& stride) {
  return static_cast<std::int64_t>(stride);
}

/// cilk_for. The body gets the loop variable by value. Returns what the serial loop's variable has at the end.
template <until Op, class T, class E, class S, class F>
T loop(const T first, const E last, const S stride, std::uint64_t grain, F&& body) {
  if (stride == 0) return first;
  const auto at = [&](std::uint64_t index) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(first) + index * static_cast<std::uint64_t>(stride));
    } else {
      using difference = std::decay_t<decltype(first - first)>;
      return T(first + static_cast<difference>(index) * static_cast<difference>(stride));
    }
  };
  const std::uint64_t count = trips<Op>(first, last, stride);
  repeat(count, grain, [&](std::uint64_t index) { body(at(index)); });
  return at(count);
}

/// cilk_for over a range with random access. The body gets an iterator.
template <class R, class F>
void each(R&& range, std::uint64_t grain, F&& body) {
  using std::begin;
  using std::end;
  const auto first = begin(range);
  using difference = std::decay_t<decltype(end(range) - first)>;
  repeat(static_cast<std::uint64_t>(end(range) - first), grain,
         [&](std::uint64_t index) { body(first + static_cast<difference>(index)); });
}

/// The variable's own storage is a view as long as this lives.
class own_view {
 public:
  own_view(void* key, void (*reduce)(void*, void*)) : key_(key) { jackdaw_cilk_begin_view(key, reduce); }
  own_view(const own_view&) = delete;
  own_view& operator=(const own_view&) = delete;
  ~own_view() { jackdaw_cilk_end_view(key_); }

 private:
  void* key_;
};

template <class T>
T& view(T& variable, void (*identity)(void*), void (*reduce)(void*, void*)) {
  return *static_cast<T*>(jackdaw_cilk_view(const_cast<std::remove_cv_t<T>*>(&variable), sizeof(T), identity, reduce));
}

template <class F>
int run_main(F&& program) {
  static std::remove_reference_t<F>* body;
  body = &program;
  return jackdaw_cilk_main([](int, char**, char**) { return (*body)(); }, 0, nullptr, nullptr);
}

}  // namespace jackdaw::cilk
