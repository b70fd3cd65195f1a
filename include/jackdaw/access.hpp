#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <ranges>
#include <string_view>
#include <type_traits>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {
namespace detail {

/// How many recordings, and schedulers that profile, are under way in this process: while it is 0, nothing listens to
/// declared accesses. Read relaxed: a recorder counts itself before the worker that it listens to is started, and a
/// profile may miss a few accesses.
inline std::atomic<unsigned> access_listeners{0};

/// `rows` runs of `length` bytes, their beginnings `stride` bytes apart.
[[gnu::noinline]] void declare_access(const void* first, std::size_t length, std::size_t rows, std::size_t stride,
                                      bool write) noexcept;

/// Returns the naming, which end_name() takes; null if there is none.
std::shared_ptr<const void> name_bytes(const void* first, std::size_t bytes, std::string_view name);
void end_name(const std::shared_ptr<const void>& which) noexcept;

inline std::size_t bytes_of(std::size_t count, std::size_t size) noexcept {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return count <= most / size ? count * size : most;
}

/// The running task's work, up to its next step, is in vectors.
[[gnu::noinline]] void declare_vectors() noexcept;

inline bool access_is_heard() noexcept { return access_listeners.load(std::memory_order_relaxed) != 0; }

template <class R>
concept declarable_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

}  // namespace detail

/// Declares that the calling task reads `count` elements, starting at `first`.
///
/// A recording of the program (docs/traces.md) uses declared accesses to simulate caches and memory nodes. Schedulers
/// that profile use them where hardware counters are not available. A declaration belongs to the work that the task
/// does between its previous and its next fork, wait, start or end. It touches no memory of the range.
///
/// @param first The first element. It may be null if `count` is 0.
/// @param count The number of elements; 0 declares nothing.
/// @par Complexity
/// One relaxed atomic load and one branch while nothing listens.
/// @par Thread safety
/// Any thread may call it. A call outside of tasks has no effect.
template <class T>
  requires std::is_object_v<T>
inline void reads(const T* first, std::size_t count) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, count * sizeof(T), 1, 0, false);
  }
}

/// Declares that the calling task reads a block of a matrix; otherwise as reads(const T*, std::size_t).
///
/// @param first The first element of the first row.
/// @param rows The number of rows.
/// @param columns The number of elements that are read in each row.
/// @param row_stride The distance from the start of one row to the start of the next, in elements.
template <class T>
  requires std::is_object_v<T>
inline void reads(const T* first, std::size_t rows, std::size_t columns, std::size_t row_stride) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, columns * sizeof(T), rows, row_stride * sizeof(T), false);
  }
}

/// Declares that the calling task reads all elements of a contiguous range, such as an array, a span or a vector.
template <detail::declarable_range R>
inline void reads(const R& range) noexcept {
  jackdaw::reads(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)));
}

/// Declares that the calling task writes `count` elements, starting at `first`; otherwise as
/// reads(const T*, std::size_t).
///
/// Elements that are both read and written need a call of reads() as well.
///
/// @param first The first element. It may be null if `count` is 0.
/// @param count The number of elements; 0 declares nothing.
template <class T>
  requires std::is_object_v<T>
inline void writes(const T* first, std::size_t count) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, count * sizeof(T), 1, 0, true);
  }
}

/// Declares that the calling task writes a block of a matrix; otherwise as reads(const T*, std::size_t).
///
/// @param first The first element of the first row.
/// @param rows The number of rows.
/// @param columns The number of elements that are written in each row.
/// @param row_stride The distance from the start of one row to the start of the next, in elements.
template <class T>
  requires std::is_object_v<T>
inline void writes(const T* first, std::size_t rows, std::size_t columns, std::size_t row_stride) noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_access(first, columns * sizeof(T), rows, row_stride * sizeof(T), true);
  }
}

/// Declares that the calling task writes all elements of a contiguous range, such as an array, a span or a vector.
template <detail::declarable_range R>
inline void writes(const R& range) noexcept {
  jackdaw::writes(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)));
}

/// Names `count` elements, starting at `first`, for reports of where data are (docs/stats.md).
///
/// A name has no other effect. It holds until any part of the memory is named anew. What is declared of the memory from
/// then on counts for the new name; what was declared before stays with the earlier one. The name of a placed
/// container's memory ends with the container, or when it grows. Other memory may be freed and used again without
/// notice and would then still count for the name: a memory_name ends it in time. Memory need not be named: reports
/// name other memory by the code that first declares it.
///
/// @param first The first element. It may be null if `count` is 0.
/// @param count The number of elements; 0 does nothing.
/// @param name The name, which is copied. An empty one only ends earlier names.
/// @throws error if no program can have so much memory there.
/// @throws std::bad_alloc if there is no memory for the name.
/// @par Complexity
/// O(log names), under a lock.
/// @par Thread safety
/// Any thread may call it.
template <class T>
  requires std::is_object_v<T>
inline void name_memory(const T* first, std::size_t count, std::string_view name) {
  static_cast<void>(detail::name_bytes(first, detail::bytes_of(count, sizeof(T)), name));
}

/// Names all elements of a contiguous range; otherwise as name_memory(const T*, std::size_t, std::string_view).
template <detail::declarable_range R>
inline void name_memory(const R& range, std::string_view name) {
  jackdaw::name_memory(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)),
                       name);
}

/// The name of memory for as long as this object lives; otherwise as name_memory().
///
/// Declare it behind the array that it names: then it ends before the array's memory is freed and used for something
/// else.
///
///     std::vector<double> grid(1000);
///     const jackdaw::memory_name named(grid, "grid");
class memory_name {
 public:
  /// Names `count` elements, starting at `first`; as name_memory(const T*, std::size_t, std::string_view).
  template <class T>
    requires std::is_object_v<T>
  memory_name(const T* first, std::size_t count, std::string_view name)
      : which_(detail::name_bytes(first, detail::bytes_of(count, sizeof(T)), name)) {}
  /// Names all elements of a contiguous range.
  template <detail::declarable_range R>
  memory_name(const R& range, std::string_view name)
      : memory_name(std::to_address(std::ranges::begin(range)), static_cast<std::size_t>(std::ranges::size(range)),
                    name) {}
  /// Ends the name, unless the memory has been named anew.
  ~memory_name() { detail::end_name(which_); }
  memory_name(const memory_name&) = delete;
  memory_name& operator=(const memory_name&) = delete;

 private:
  std::shared_ptr<const void> which_;
};

/// Declares that the calling task computes in the processor's widest vectors.
///
/// A recording of the program (docs/traces.md) marks the work, and a simulated machine does it at its `vector_rate`
/// instead of its `compute_rate` (docs/machines.md). The declaration belongs to the same work as one of reads().
/// @par Complexity
/// One relaxed atomic load and one branch while nothing listens.
/// @par Thread safety
/// Any thread may call it. A call outside of tasks has no effect.
inline void computes_in_vectors() noexcept {
  if (detail::access_is_heard()) [[unlikely]] {
    detail::declare_vectors();
  }
}

}  // namespace jackdaw

JACKDAW_EXPORT_END
