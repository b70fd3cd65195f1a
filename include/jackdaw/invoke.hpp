#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "jackdaw/detail/branch.hpp"
#include "jackdaw/detail/callable.hpp"
#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/placed_branch.hpp"
#include "jackdaw/runtime.hpp"
#include "jackdaw/task_group.hpp"
#include "jackdaw/work.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {
namespace detail {

/// Where a branch puts its result, which is taken only if all branches have ended well.
template <class R>
class outcome {
 public:
  template <class F>
  void of(F& f) {
    value_.emplace(f());
  }
  R take() { return std::move(*value_); }

 private:
  std::optional<std::remove_cv_t<R>> value_;
};
/// One that needs no destructor needs no note of whether it is there. And it has no constructor: between one that
/// stores nothing and the next time that the variable's name is mentioned, g++ 12 (-O2 -flto) takes the variable for
/// dead and gives its place to another one, though its address is in use.
template <class R>
  requires(std::is_trivially_destructible_v<R> && !std::is_reference_v<R>)
class outcome<R> {
 public:
  template <class F>
  void of(F& f) {
    ::new (static_cast<void*>(std::addressof(place_))) value(f());
  }
  R take() {
    if constexpr (bare) {
      return std::move(place_);
    } else {
      return std::move(*std::launder(reinterpret_cast<value*>(place_.of)));
    }
  }

 private:
  using value = std::remove_cv_t<R>;
  static constexpr bool bare = std::is_trivially_default_constructible_v<value>;
  struct bytes {
    alignas(value) std::byte of[sizeof(value)];
  };

  std::conditional_t<bare, value, bytes> place_;
};
template <class R>
  requires std::is_reference_v<R>
class outcome<R> {
 public:
  template <class F>
  void of(F& f) {
    R value = f();
    value_ = std::addressof(value);
  }
  R take() { return static_cast<R>(*value_); }

 private:
  std::remove_reference_t<R>* value_ = nullptr;
};
template <>
class outcome<void> {
 public:
  template <class F>
  void of(F& f) {
    f();
  }
  std::monostate take() { return {}; }
};

/// A branch that puts its result away; F as in a forwarding reference.
template <class R, class F>
struct delivery {
  outcome<R>* to;
  kept<F> function;
  void operator()() { to->of(function); }
  const control_word& control() const
    requires knows_control<std::remove_cvref_t<F>>
  {
    return function.control();
  }
};

template <class... Fs>
inline constexpr bool all_void = std::conjunction_v<std::is_void<std::invoke_result_t<Fs&>>...>;

/// What invoke returns; the type is written out, for a tuple of one pair must not become a tuple of two.
template <class... Fs>
using results = std::tuple<std::conditional_t<std::is_void_v<std::invoke_result_t<Fs&>>, std::monostate,
                                              std::remove_cv_t<std::invoke_result_t<Fs&>>>...>;

// clang inlines a chain of calls from its inner end, and so leaves one in a function template that forks calls of
// itself. Then the branches go through memory, and a fork takes twice as long. g++ does better on its own.
#ifdef __clang__
#define JACKDAW_INLINE_IN_CLANG __attribute__((always_inline))
#else
#define JACKDAW_INLINE_IN_CLANG
#endif

/// Calls `fork` with functions that put their results away; what invoke returns.
template <class... Fs, class Fork>
JACKDAW_INLINE_IN_CLANG inline results<Fs...> with_outcomes(const Fork& fork, std::remove_reference_t<Fs>&... fs) {
  using kinds = std::tuple<std::type_identity<std::invoke_result_t<Fs&>>...>;
  // Variables of their own rather than one tuple: what need not be in memory is not.
  const auto declare = [&](const auto& next, auto&... outcomes) JACKDAW_INLINE_IN_CLANG -> results<Fs...> {
    if constexpr (sizeof...(outcomes) < sizeof...(Fs)) {
      outcome<typename std::tuple_element_t<sizeof...(outcomes), kinds>::type> another;
      return next(next, outcomes..., another);
    } else {
      fork(delivery<std::invoke_result_t<Fs&>, Fs>{&outcomes, fs}...);
      return results<Fs...>(outcomes.take()...);
    }
  };
  return declare(declare);
}

/// Branches 0 to Last of `branches`, in serial order on this worker if none is stolen.
template <std::size_t Last, class Branches>
inline void nest(Branches& branches, std::atomic<bool>& failed) {
  if constexpr (Last == 0) {
    std::get<0>(branches)();
  } else {
    fork_join(
        this_lane(), [&] { nest<Last - 1>(branches, failed); },
        [&] {
          if (failed.load(std::memory_order_relaxed)) {
            return;
          }
          JACKDAW_TRY { std::get<Last>(branches)(); }
          JACKDAW_CATCH {
            failed.store(true, std::memory_order_relaxed);
            JACKDAW_RETHROW;
          }
        });
  }
}

/// In the lower tier. `at` is this thread's lane and not null.
template <class... Fs>
JACKDAW_INLINE_IN_CLANG inline auto invoke_on(lane* at, Fs&&... fs) {
  if constexpr (!all_void<Fs...>) {
    return with_outcomes<Fs...>([at](auto&&... each) JACKDAW_INLINE_IN_CLANG { invoke_on(at, std::move(each)...); },
                                fs...);
  } else if constexpr (sizeof...(Fs) == 2) {
    fork_join(at, std::forward<Fs>(fs)...);
  } else {
    std::tuple<std::remove_reference_t<Fs>&...> branches(fs...);
    std::atomic<bool> failed{false};
    nest<sizeof...(Fs) - 1>(branches, failed);
  }
}

/// In the upper tier, or outside of tasks.
template <class... Fs>
auto invoke_above(const void* site, const std::array<branch_terms, sizeof...(Fs)>& terms, Fs&... fs) {
  if constexpr (!all_void<Fs...>) {
    return with_outcomes<Fs&...>([&](auto&&... each) { invoke_above(site, terms, each...); }, fs...);
  } else {
    const branch_terms* next = terms.data();
    place_branches(site, std::array{placed_branch(fs, *next++)...});
  }
}

/// The amounts alone, for those of two branches fit into registers.
template <class... Fs>
[[gnu::noinline]] auto invoke_slowly(std::array<double, sizeof...(Fs)> amounts, kept<Fs>... fs) {
  std::array<branch_terms, sizeof...(Fs)> terms;
  std::ranges::transform(amounts, terms.begin(), [](double amount) { return branch_terms{amount}; });
  return invoke_above(__builtin_return_address(0), terms, fs...);
}

template <class... Fs>
JACKDAW_INLINE_IN_CLANG inline auto invoke_unhinted(const std::array<double, sizeof...(Fs)>& amounts, Fs&&... fs) {
  if constexpr (sizeof...(Fs) > 1) {
    lane* const at = this_lane();
    if (at == nullptr) [[unlikely]] {
      return invoke_slowly<Fs...>(amounts, fs...);
    }
    return invoke_on(at, std::forward<Fs>(fs)...);
  } else if constexpr (all_void<Fs...>) {
    (fs(), ...);
  } else {
    return results<Fs...>(fs()...);
  }
}

/// A branch without a hint counts 1.
template <class F>
double share_of(const F& branch) noexcept {
  const double amount = amount_of(branch);
  return amount < 0 ? 1.0 : amount;
}

/// A branch without its hint; F as in a forwarding reference.
template <class F>
decltype(auto) function_of(std::remove_reference_t<F>& branch) noexcept {
  if constexpr (is_hinted<std::remove_cvref_t<F>>) {
    return (static_cast<F&&>(branch).function);
  } else {
    return static_cast<F&&>(branch);
  }
}

}  // namespace detail

/// Runs all branches, possibly in parallel, and returns when all have ended.
///
/// The first branch starts at once on the caller's stack. Other workers can steal the later branches meanwhile. A
/// branch that is not stolen runs here, in order. Outside of tasks the call runs as a root of runtime::instance().
///
///     const auto [a, b] = jackdaw::invoke([&] { return left(); }, jackdaw::work(2, [&] { return right(); }));
///
/// The caller may resume on a different thread (docs/forks.md).
///
/// @param f The first branch: a function without parameters, or one wrapped by work(). It is referred to, not copied.
/// @param gs The later branches.
/// @return Nothing if no branch returns anything, otherwise a tuple of all results. A branch without a result has
/// std::monostate there.
/// @throws anything that a branch throws; of several exceptions the first. Branches that had not started by then are
/// skipped. Outside of tasks also what runtime::instance() throws.
/// @throws std::bad_alloc if the scheduler places the branches and there is no memory for that.
/// @par Complexity
/// Constant work for each branch. A branch that is neither stolen nor placed by the scheduler costs no allocation, no
/// lock and no change of stack.
template <class F, class... Gs>
inline auto invoke(F&& f, Gs&&... gs) {
  if constexpr ((detail::is_branch<std::remove_reference_t<F>> && ... &&
                 detail::is_branch<std::remove_reference_t<Gs>>))
    return detail::invoke_unhinted({detail::share_of(f), detail::share_of(gs)...}, detail::function_of<F>(f),
                                   detail::function_of<Gs>(gs)...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
