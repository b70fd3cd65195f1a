#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/invoke.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// Where a task had better run: on the workers of a memory node. A wish: workers elsewhere take such a task when they
/// have found nothing else for 50 us, nearest first, so that no core is idle because of it. Made by near() and on();
/// one that was made by itself wishes nothing.
class affinity {
 public:
  constexpr affinity() noexcept = default;

  /// The memory node, as the operating system numbers it; none: nothing is wished, or nobody knows.
  constexpr std::optional<unsigned> node() const noexcept { return node_; }
  /// Whether the program has named the node, by on().
  constexpr bool named() const noexcept { return named_; }

 private:
  constexpr affinity(std::optional<unsigned> node, bool named) noexcept : node_(node), named_(named) {}
  friend affinity near(const void* first, std::size_t bytes);
  friend constexpr affinity on(unsigned node) noexcept;

  std::optional<unsigned> node_;
  bool named_ = false;
};

/// Near `bytes` bytes from `first` on: the memory node that most of them are on, as the kernel says now of up to 64 of
/// their pages, evenly spread, in one system call. No wish where that cannot be known or does not matter: pages that
/// nobody has written to, a kernel that does not tell, a machine with one node, or one that is only described. Throws
/// std::bad_alloc.
affinity near(const void* first, std::size_t bytes);

/// Near the elements of an array, a span, a placed_array, ...
template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
affinity near(const R& range) {
  return near(static_cast<const void*>(std::to_address(std::ranges::begin(range))),
              std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>));
}

/// Near a memory node, by the operating system's number: its own workers, or for a node without processors those of the
/// node nearest to it. What is run with it throws error if the machine of the runtime has no such node, or if none of
/// the runtime's workers is near it.
constexpr affinity on(unsigned node) noexcept { return {node, true}; }

/// A branch of an invoke, and where it had better run.
template <class F>
struct placed {
  affinity where;
  F function;
};

/// Says near which memory `f` had better run.
template <std::ranges::contiguous_range R, class F>
  requires(std::ranges::sized_range<R> && std::invocable<F&>)
placed<F> near(const R& range, F&& f) {
  return {near(range), std::forward<F>(f)};
}
/// Says on which memory node `f` had better run.
template <class F>
placed<F> on(unsigned node, F&& f) {
  return {on(node), std::forward<F>(f)};
}

/// Says how much work a placed branch is.
template <class F>
placed<hinted<F>> work(double amount, placed<F> f) {
  return {f.where, {amount, std::forward<F>(f.function)}};
}

namespace detail {

template <class F>
inline constexpr bool is_placed = false;
template <class F>
inline constexpr bool is_placed<placed<F>> = true;

/// Null: no wish.
template <class F>
const affinity* affinity_of(const F&) noexcept {
  return nullptr;
}
template <class F>
const affinity* affinity_of(const placed<F>& branch) noexcept {
  return &branch.where;
}

/// What there is to call of a branch, with its hint.
template <class F>
F& unplaced(F& branch) noexcept {
  return branch;
}
template <class F>
std::remove_reference_t<F>& unplaced(placed<F>& branch) noexcept {
  return branch.function;
}

template <class F>
using unplaced_type = std::remove_reference_t<decltype(unplaced(std::declval<std::remove_reference_t<F>&>()))>;

template <class... Fs>
[[gnu::noinline]] auto invoke_placed(Fs&... fs) {
  return invoke_above(__builtin_return_address(0),
                      {branch_terms{detail::share_of(detail::unplaced(fs)), detail::affinity_of(fs)}...},
                      unplaced(fs)...);
}

}  // namespace detail

/// As the other invoke, with branches that near() or on() have placed: `invoke(near(rows, f), near(columns, g))`. Work
/// hints go inside or around. A placed branch costs an allocation and a hand-over, so it should be microseconds long.
/// Throws error, and runs nothing, for an on() that cannot be had.
template <class F, class... Gs>
  requires(detail::is_placed<std::remove_cvref_t<F>> || (detail::is_placed<std::remove_cvref_t<Gs>> || ...))
inline auto invoke(F&& f, Gs&&... gs) {
  if constexpr ((detail::is_branch<detail::unplaced_type<F>> && ... && detail::is_branch<detail::unplaced_type<Gs>>))
    return detail::invoke_placed(f, gs...);
}

}  // namespace jackdaw

#pragma GCC visibility pop
