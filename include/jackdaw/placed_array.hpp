#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/first_touch.hpp"
#include "jackdaw/placed_memory.hpp"

namespace jackdaw {

/// An array of fixed size whose memory is placed as a policy says, in pages of its own. Nothing is filled serially: a T
/// that is trivially default constructible is left as the zeros that fresh pages are, others are constructed in
/// parallel. Under a scheduler that maps equal loops equally (ADWS, LAWS) a loop over the whole array (for_each,
/// for_index, for_range with default options) runs each block where its first touch was. Elements are destroyed by the
/// thread that destroys the array.
template <class T>
class placed_array {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = T*;
  using const_iterator = const T*;

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
  ~placed_array() { std::destroy_n(data(), size_); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(memory_.data()); }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  T& front() noexcept { return data()[0]; }
  const T& front() const noexcept { return data()[0]; }
  T& back() noexcept { return data()[size_ - 1]; }
  const T& back() const noexcept { return data()[size_ - 1]; }

  const placement& policy() const noexcept { return memory_.policy(); }
  const placement_report& report() const noexcept { return memory_.report(); }

  void swap(placed_array& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

 private:
  placed_array(std::size_t count, const placement& how, std::size_t bytes)
      : memory_(bytes, how, alignof(T)), room_(count) {}

  template <class Make>
  void make(Make&& one) {
    detail::make_at_home(data(), 0, room_, room_, std::forward<Make>(one));
  }

  placed_memory memory_;
  std::size_t size_ = 0;  // elements that live
  std::size_t room_ = 0;
};

}  // namespace jackdaw
