#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <ranges>
#include <type_traits>

#pragma GCC visibility push(default)

namespace jackdaw {
namespace detail {

/// How many recordings, and schedulers that profile, are under way in this process: while it is 0, nobody listens to
/// declared accesses. Read relaxed: a recorder counts itself before the worker that it listens to is started, and a
/// profile may miss a few accesses.
inline std::atomic<unsigned> access_listeners{0};

/// `rows` runs of `length` bytes, their beginnings `stride` bytes apart.
[[gnu::noinline]] void declare_access(const void* first, std::size_t length, std::size_t rows, std::size_t stride,
                                      bool write) noexcept;

inline bool access_is_heard() noexcept { return access_listeners.load(std::memory_order_relaxed) != 0; }

template <class R>
concept declarable_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

}  // namespace detail

// A task says what memory it is about to read and write, so that a recording of the program (docs/traces.md) knows
// what a simulated machine's caches would do. What is declared belongs to the work that the task does between its last
// and its next fork, wait, beginning or end. All of this is free when nobody listens: one load and one branch.

/// This task reads `count` elements from `first` on.
template <class T>
  requires std::is_object_v<T>
inline void reads(const T* first, std::size_t count) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, count * sizeof(T), 1, 0, false);
  }
}

/// It reads `rows` rows of `columns` elements each, whose beginnings are `row_stride` elements apart.
template <class T>
  requires std::is_object_v<T>
inline void reads(const T* first, std::size_t rows, std::size_t columns, std::size_t row_stride) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, columns * sizeof(T), rows, row_stride * sizeof(T), false);
  }
}

/// It reads all elements of an array, a span, a vector, ...
template <detail::declarable_range R>
inline void reads(const R& range) noexcept {
  jackdaw::reads(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)));
}

/// This task writes `count` elements from `first` on. What it reads as well is declared with reads() too.
template <class T>
  requires std::is_object_v<T>
inline void writes(const T* first, std::size_t count) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, count * sizeof(T), 1, 0, true);
  }
}

/// It writes `rows` rows of `columns` elements each, whose beginnings are `row_stride` elements apart.
template <class T>
  requires std::is_object_v<T>
inline void writes(const T* first, std::size_t rows, std::size_t columns, std::size_t row_stride) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, columns * sizeof(T), rows, row_stride * sizeof(T), true);
  }
}

/// It writes all elements of an array, a span, a vector, ...
template <detail::declarable_range R>
inline void writes(const R& range) noexcept {
  jackdaw::writes(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)));
}

}  // namespace jackdaw

#pragma GCC visibility pop
