#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/detail/memory/placed_elements.hpp"
#include "jackdaw/memory/placed_memory.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// An array of fixed size whose memory a placement policy places on memory nodes, in pages of its own.
///
/// Elements are never filled serially. If T is trivially default-constructible, new elements are the zeros of fresh
/// pages. Otherwise they are constructed in parallel. Under a scheduler that maps equal loops to the same workers
/// (`auto`, `adws`, `laws`), a for_each(), for_index() or for_range() with default options over the whole array runs
/// each block on the node where its first touch was.
///
/// The constructors run as parallel loops. Outside of tasks they use runtime::instance().
/// @par Thread safety
/// As for standard containers: any number of readers, or one writer.
/// @par Complexity
/// Construction and copies of n elements: as a for_index() with default options. Destruction: O(n), serially, by the
/// thread that destroys the array, unless T is trivially destructible.
template <class T>
class placed_array : public detail::placed_elements<T> {
  using base = detail::placed_elements<T>;
  using base::memory_, base::size_, base::room_;

 public:
  using base::data;

  /// Makes an array without elements and without memory.
  placed_array() noexcept = default;

  /// Makes an array of `count` value-initialised elements.
  ///
  /// @param count The number of elements, at least 1.
  /// @param how The policy that places the memory.
  /// @throws error for a `count` of 0 or beyond the address space, and as the constructor of placed_memory does.
  /// @throws std::bad_alloc if there is no memory.
  /// @throws anything that a constructor of T throws. No element is left behind then.
  explicit placed_array(std::size_t count, const placement& how = {})
    requires std::is_default_constructible_v<T>
      : placed_array(count, how, detail::bytes_of(count, sizeof(T), "placed_array")) {
    detail::first_touch(memory_, count, sizeof(T));
    if constexpr (!detail::zeros_are_value<T>) make([](T* at, std::size_t) { std::construct_at(at); });
    size_ = count;
  }

  /// Makes an array of `count` copies of a value; otherwise as placed_array(std::size_t, const placement&).
  ///
  /// @param count The number of elements, at least 1.
  /// @param value The value. Several workers copy it at the same time.
  /// @param how The policy that places the memory.
  placed_array(std::size_t count, const T& value, const placement& how = {})
      : placed_array(count, how, detail::bytes_of(count, sizeof(T), "placed_array")) {
    detail::first_touch(memory_, count, sizeof(T));
    make([&](T* at, std::size_t) { std::construct_at(at, value); });
    size_ = count;
  }

  /// Makes a copy of `from` that the policy `how` places. The elements are copied in parallel.
  placed_array(const placed_array& from, const placement& how) {
    if (from.empty()) return;
    memory_ = placed_memory(from.size_ * sizeof(T), how, alignof(T));
    room_ = from.size_;
    detail::first_touch(memory_, room_, sizeof(T));
    make([&](T* at, std::size_t i) { std::construct_at(at, from[i]); });
    size_ = room_;
  }
  /// Makes a copy of `from` with the same policy. The elements are copied in parallel.
  placed_array(const placed_array& from) : placed_array(from, from.policy()) {}

  /// Makes a copy of `from` that the policy `how` places. The calling thread copies all elements; nothing is forked.
  /// `replicated` uses this constructor.
  placed_array(const placed_array& from, const placement& how, detail::by_this_thread) {
    if (from.empty()) return;
    memory_ = placed_memory(from.size_ * sizeof(T), how, alignof(T));
    std::uninitialized_copy(from.begin(), from.end(), data());
    size_ = room_ = from.size_;
  }

  /// Takes the memory and the elements of `from`, which is empty afterwards.
  placed_array(placed_array&& from) noexcept { swap(from); }
  /// Replaces the array by `from`, including its policy. A copied operand keeps its own policy as well.
  placed_array& operator=(placed_array from) noexcept {
    swap(from);
    return *this;
  }

  /// Returns the policy that places the memory.
  const placement& policy() const noexcept { return memory_.policy(); }

  /// Exchanges memory, elements and policies with `other`, in constant time.
  void swap(placed_array& other) noexcept { base::swap(other); }

 private:
  placed_array(std::size_t count, const placement& how, std::size_t bytes)
      : base(placed_memory(bytes, how, alignof(T)), count) {}

  template <class Make>
  void make(Make&& one) {
    detail::make_at_home(data(), 0, room_, room_, std::forward<Make>(one));
  }
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
