#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/invoke.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A task's preference for the workers of one memory node; made by near() and on().
///
/// It is a soft affinity. Workers of the preferred node take the task before they steal anything. A worker elsewhere
/// takes it once it has found no other work for 50 us, the nearest workers first. No core therefore stays idle because
/// of an affinity. What the task itself forks has no affinity of its own. docs/memory.md, "Tasks near their data", has
/// the details.
class affinity {
 public:
  /// Expresses no preference.
  constexpr affinity() noexcept = default;

  /// Returns the preferred node by the operating system's number; empty if there is no preference.
  constexpr std::optional<unsigned> node() const noexcept { return node_; }
  /// Returns whether the program named the node, by on().
  constexpr bool named() const noexcept { return named_; }

 private:
  constexpr affinity(std::optional<unsigned> node, bool named) noexcept : node_(node), named_(named) {}
  friend affinity near(const void* first, std::size_t bytes);
  friend constexpr affinity on(unsigned node) noexcept;

  std::optional<unsigned> node_;
  bool named_ = false;
};

/// Returns an affinity to the memory node on which most of a range lies now.
///
/// The result expresses no preference in four cases: no page of the range has been written to yet, the kernel does not
/// tell where pages are, the machine has a single memory node, or the machine is only described.
///
/// @param first The first byte of the range.
/// @param bytes The length of the range in bytes.
/// @throws std::bad_alloc if there is no memory for the question.
/// @par Complexity
/// One system call, which asks about up to 64 evenly spread pages: microseconds. A program with many tasks near one
/// range should keep the result.
affinity near(const void* first, std::size_t bytes);

/// Returns an affinity to the memory node on which most elements of a contiguous range lie now, such as those of an
/// array, a span or a placed_array; otherwise as near(const void*, std::size_t).
template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R>
affinity near(const R& range) {
  return near(static_cast<const void*>(std::to_address(std::ranges::begin(range))),
              std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>));
}

/// Returns an affinity to a memory node.
///
/// A node without processors stands for the nearest node with processors. A fork with the result throws error if the
/// runtime's machine has no such node, or if none of the runtime's workers is near it.
///
/// @param node The operating system's number, as in machine::node::os_index.
constexpr affinity on(unsigned node) noexcept { return {node, true}; }

/// A branch of an invoke() together with its affinity; made by near() and on().
///
/// F is the function's type as a forwarding reference deduces it.
template <class F>
struct placed {
  affinity where;  ///< The preferred node.
  F function;      ///< The branch, or a reference to it.
};

/// Attaches an affinity to a branch of an invoke(): `invoke(near(rows, f), near(columns, g))`.
///
/// @param range The data that the branch uses; see near(const void*, std::size_t).
/// @param f The branch, with or without work(). A named function object is referred to, not copied.
/// @throws std::bad_alloc if there is no memory for the question.
template <std::ranges::contiguous_range R, class F>
  requires(std::ranges::sized_range<R> && std::invocable<F&>)
placed<F> near(const R& range, F&& f) {
  return {near(range), std::forward<F>(f)};
}
/// Attaches an affinity to a branch of an invoke(): `invoke(on(0, f), on(1, g))`.
///
/// @param node The operating system's number of the preferred node.
/// @param f The branch, with or without work(). A named function object is referred to, not copied.
template <class F>
placed<F> on(unsigned node, F&& f) {
  return {on(node), std::forward<F>(f)};
}

/// Attaches a work hint to a branch that has an affinity: `work(2, near(range, f))` is `near(range, work(2, f))`.
///
/// @param amount As in work(double, F&&).
/// @param f The branch.
template <class F>
placed<hinted<F>> work(double amount, placed<F> f) {
  return {f.where, {amount, std::forward<F>(f.function)}};
}

namespace detail {

template <class F>
inline constexpr bool is_placed = false;
template <class F>
inline constexpr bool is_placed<placed<F>> = true;

/// Null: no preference.
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

/// Runs branches of which at least one has an affinity: `invoke(near(rows, f), near(columns, g))`; otherwise as the
/// other invoke().
///
/// Work hints may stand inside or around an affinity.
///
/// @param f The first branch.
/// @param gs The later branches.
/// @throws error, and runs nothing, if an on() names a node that the machine or the runtime does not have.
/// @throws anything that the other invoke() throws.
/// @par Complexity
/// One allocation and one hand-over to another worker for each branch with an affinity. Such a branch should take at
/// least microseconds.
template <class F, class... Gs>
  requires(detail::is_placed<std::remove_cvref_t<F>> || (detail::is_placed<std::remove_cvref_t<Gs>> || ...))
inline auto invoke(F&& f, Gs&&... gs) {
  if constexpr ((detail::is_branch<detail::unplaced_type<F>> && ... && detail::is_branch<detail::unplaced_type<Gs>>))
    return detail::invoke_placed(f, gs...);
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
