// What translated Cilk programs in C++ call. See compat/cilk/README.md.
#pragma once

#include <jackdaw/invoke.hpp>
#include <jackdaw/runtime.hpp>
#include <jackdaw/task_group.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "jackdaw_cilk.h"
#include "jackdaw_cilk_views.hpp"

namespace jackdaw::cilk {

/// The children of one function, loop body, block or scope. Only its own task uses it.
class frame {
 public:
  frame() noexcept = default;
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;
  /// Where a jump leaves the scope; elsewhere there are no children left.
  ~frame() noexcept(false) {
    if (!open_) return;
    if (std::uncaught_exceptions() > 0) {
      settle();
    } else {
      sync();
    }
  }

  /// Runs f() as a child, which starts at once. The caller continues here, perhaps on another thread.
  template <class F>
  void spawn(F&& f) {
    open_ = true;
    if (!views_used) [[likely]] {
      group_.run(std::forward<F>(f));
      return;
    }
    strand* const mine = this_strand();
    if (!segments_.begun()) segments_.begin(mine);
    const unsigned number = ++spawned_;
    group_.run([this, mine, number, function = std::forward<F>(f)]() mutable {
      set_strand(mine);
      function();
      // The last access of the child to its views; the parent's acquire pairs with it.
      ended_.store(number, std::memory_order_release);
    });
    // Another child may have written a later number over this one's: an identity view too many does no harm.
    set_strand(ended_.load(std::memory_order_acquire) == number ? mine : segments_.add());
  }

  /// Waits for the children and rethrows the first exception of one.
  void sync() {
    if (!open_) return;
    open_ = false;
    if (!segments_.begun()) [[likely]] {
      group_.wait();
      return;
    }
    struct merging {
      ~merging() { of.merge(); }
      segments& of;
    } const afterwards{segments_};
    group_.wait();
  }

  /// sync() while an exception passes, which hides those of the children.
  void settle() noexcept {
    if (!open_) return;
    try {
      sync();
    } catch (...) {
    }
  }

 private:
  jackdaw::task_group group_;
  bool open_ = false;
  unsigned spawned_ = 0;
  std::atomic<unsigned> ended_ = 0;
  segments segments_;
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

/// `x op= cilk_spawn f()`: such updates are atomic to each other.
struct update_lock {
  update_lock() { jackdaw_cilk_lock(); }
  update_lock(const update_lock&) = delete;
  update_lock& operator=(const update_lock&) = delete;
  ~update_lock() { jackdaw_cilk_unlock(); }
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
  if (!views_used) [[likely]] {
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

/// cilk_for. The body gets the loop variable by value.
template <until Op, class T, class E, class S, class F>
void loop(const T first, const E last, const S stride, std::uint64_t grain, F&& body) {
  if (stride == 0) return;
  repeat(trips<Op>(first, last, stride), grain, [&](std::uint64_t index) {
    if constexpr (std::is_integral_v<T>) {
      body(static_cast<T>(static_cast<std::uint64_t>(first) + index * static_cast<std::uint64_t>(stride)));
    } else {
      using difference = std::decay_t<decltype(first - first)>;
      body(T(first + static_cast<difference>(index) * static_cast<difference>(stride)));
    }
  });
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
