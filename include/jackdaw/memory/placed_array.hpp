#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/detail/memory/placed_elements.hpp"
#include "jackdaw/memory/placed_memory.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// An array of fixed size whose memory is placed as a policy says, in pages of its own. Nothing is filled serially: a T
/// that is trivially default constructible is left as the zeros that fresh pages are, others are constructed in
/// parallel. Under a scheduler that maps equal loops equally (ADWS, LAWS) a loop over the whole array (for_each,
/// for_index, for_range with default options) runs each block where its first touch was. Elements are destroyed by the
/// thread that destroys the array.
template <class T>
class placed_array : public detail::placed_elements<T> {
  using base = detail::placed_elements<T>;
  using base::memory_, base::size_, base::room_;

 public:
  using base::data;

  placed_array() noexcept = default;

  /// `count` >= 1 value-initialised elements. Throws error (see placed_memory), std::bad_alloc, what T throws.
  explicit placed_array(std::size_t count, const placement& how = {})
    requires std::is_default_constructible_v<T>
      : placed_array(count, how, detail::bytes_of(count, sizeof(T), "placed_array")) {
    detail::first_touch(memory_, count, sizeof(T));
    if constexpr (!detail::zeros_are_value<T>) make([](T* at, std::size_t) { std::construct_at(at); });
    size_ = count;
  }

  /// `count` >= 1 copies of a value.
  placed_array(std::size_t count, const T& value, const placement& how = {})
      : placed_array(count, how, detail::bytes_of(count, sizeof(T), "placed_array")) {
    detail::first_touch(memory_, count, sizeof(T));
    make([&](T* at, std::size_t) { std::construct_at(at, value); });
    size_ = count;
  }

  /// A copy placed in another way.
  placed_array(const placed_array& from, const placement& how) {
    if (from.empty()) return;
    memory_ = placed_memory(from.size_ * sizeof(T), how, alignof(T));
    room_ = from.size_;
    detail::first_touch(memory_, room_, sizeof(T));
    make([&](T* at, std::size_t i) { std::construct_at(at, from[i]); });
    size_ = room_;
  }
  placed_array(const placed_array& from) : placed_array(from, from.policy()) {}

  /// The same, but by the calling thread alone.
  placed_array(const placed_array& from, const placement& how, detail::by_this_thread) {
    if (from.empty()) return;
    memory_ = placed_memory(from.size_ * sizeof(T), how, alignof(T));
    std::uninitialized_copy(from.begin(), from.end(), data());
    size_ = room_ = from.size_;
  }

  placed_array(placed_array&& from) noexcept { swap(from); }
  placed_array& operator=(placed_array from) noexcept {
    swap(from);
    return *this;
  }

  const placement& policy() const noexcept { return memory_.policy(); }

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

#pragma GCC visibility pop
