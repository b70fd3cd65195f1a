#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/detail/memory/placed_elements.hpp"
#include "jackdaw/memory/placed_memory.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// A vector whose memory is placed as a policy says, in pages of its own; when it grows, its new memory is placed by
/// the same policy and the elements are moved there in parallel. A policy divides the whole capacity: resize() and
/// shrink_to_fit() make the capacity the size, so that each loop block's first touch is at home; push_back() doubles it
/// and the blocks of later loops are then shorter than those that were placed, until shrink_to_fit() places all anew.
/// Growing moves elements if that cannot throw, else copies them where they can be; an exception leaves the vector as
/// it was, unless its elements can only be moved and that may throw. Elements are destroyed by the thread that destroys
/// the vector.
template <class T>
class placed_vector : public detail::placed_elements<T> {
  using base = detail::placed_elements<T>;
  using base::memory_, base::size_, base::room_;

 public:
  using base::data;

  placed_vector() : placed_vector(placement{}) {}
  explicit placed_vector(const placement& how) : how_(how) {}
  /// `count` value-initialised elements; otherwise as placed_array, but may be empty.
  explicit placed_vector(std::size_t count, const placement& how = {})
    requires std::is_default_constructible_v<T>
      : how_(how) {
    resize(count);
  }
  placed_vector(std::size_t count, const T& value, const placement& how = {}) : how_(how) { resize(count, value); }

  /// A copy placed in another way.
  placed_vector(const placed_vector& from, const placement& how) : how_(how) {
    if (from.empty()) return;
    block fresh(from.size_, how_);
    fresh.make(0, from.size_, [&](T* at, std::size_t i) { std::construct_at(at, from[i]); });
    take(std::move(fresh), from.size_);
  }
  placed_vector(const placed_vector& from) : placed_vector(from, from.how_) {}

  /// The same, but by the calling thread alone.
  placed_vector(const placed_vector& from, const placement& how, detail::by_this_thread) : how_(how) {
    if (from.empty()) return;
    block fresh(from.size_, how_, detail::by_this_thread{});
    std::uninitialized_copy(from.begin(), from.end(), fresh.data());
    take(std::move(fresh), from.size_);
  }

  placed_vector(placed_vector&& from) noexcept { swap(from); }
  placed_vector& operator=(placed_vector from) noexcept {
    swap(from);
    return *this;
  }

  std::size_t capacity() const noexcept { return room_; }
  /// Throws std::out_of_range.
  T& at(std::size_t i) { return data()[in_range(i)]; }
  const T& at(std::size_t i) const { return data()[in_range(i)]; }

  const placement& policy() const noexcept { return how_; }

  /// Elements beyond the old size are value-initialised, in parallel. The capacity becomes `count` if it was less.
  void resize(std::size_t count)
    requires std::is_default_constructible_v<T>
  {
    resize_with<detail::zeros_are_value<T>>(count, [](T* at, std::size_t) { std::construct_at(at); });
  }
  /// Elements beyond the old size are copies of a value.
  void resize(std::size_t count, const T& value) {
    // It may be one of the elements: the new ones are made before those move.
    resize_with<false>(count, [&](T* at, std::size_t) { std::construct_at(at, value); });
  }

  void reserve(std::size_t count) {
    if (count > room_) move_to(block(count, how_));
  }
  /// Places the vector anew, for its size.
  void shrink_to_fit() {
    if (size_ == room_) return;
    if (size_ == 0) {
      memory_ = placed_memory();
      room_ = 0;
    } else {
      move_to(block(size_, how_));
    }
  }

  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ < room_) {
      const bool was = std::exchange(used_, true);  // a constructor that throws may have written there
      T* const made = std::construct_at(data() + size_, std::forward<Arguments>(arguments)...);
      used_ = was;
      ++size_;
      return *made;
    }
    // First the new one: an argument may be one of the elements.
    block fresh(std::max(2 * room_, base_page_size() / sizeof(T) + 1), how_);
    T* const made = std::construct_at(fresh.data() + size_, std::forward<Arguments>(arguments)...);
    detail::made_so_far<T> until_moved(made, made + 1);
    move_to(std::move(fresh));
    until_moved.keep();
    ++size_;
    return *made;
  }
  void pop_back() noexcept {
    std::destroy_at(data() + --size_);
    used_ = true;
  }
  void clear() noexcept {
    std::destroy_n(data(), size_);
    size_ = 0;
    used_ = true;
  }

  void swap(placed_vector& other) noexcept {
    std::swap(how_, other.how_);
    base::swap(other);
    std::swap(used_, other.used_);
  }

 private:
  /// Placed memory for elements that are not there yet.
  struct block {
    block(std::size_t count, const placement& how) : block(count, how, detail::by_this_thread{}) {
      detail::first_touch(memory, count, sizeof(T));
    }
    block(std::size_t count, const placement& how, detail::by_this_thread)
        : memory(detail::bytes_of(count, sizeof(T), "placed_vector"), how, alignof(T)), room(count) {}

    T* data() noexcept { return static_cast<T*>(static_cast<void*>(memory.data())); }
    template <class Make, class Undo = detail::nothing_to_undo>
    void make(std::size_t from, std::size_t to, Make&& one, const Undo& undo = {}) {
      detail::make_at_home(data(), from, to, room, std::forward<Make>(one), undo);
    }

    placed_memory memory;
    std::size_t room;
  };

  std::size_t in_range(std::size_t i) const {
    if (i >= size_) throw std::out_of_range("placed_vector::at");
    return i;
  }

  void take(block&& fresh, std::size_t size) noexcept {
    memory_ = std::move(fresh.memory);
    room_ = fresh.room;
    size_ = size;
    used_ = false;
  }

  /// The elements are moved, or copied, into fresh memory. If that cannot be done to the end, for want of memory for a
  /// fork, those that have moved come back.
  void move_to(block&& fresh) {
    fresh.make(
        0, size_, [this](T* at, std::size_t i) { std::construct_at(at, std::move_if_noexcept((*this)[i])); },
        [&](T* at, std::size_t i) {
          if constexpr (std::is_nothrow_move_constructible_v<T>) {
            std::destroy_at(&(*this)[i]);
            std::construct_at(&(*this)[i], std::move(*at));
          }
        });
    std::destroy_n(data(), size_);
    take(std::move(fresh), size_);
  }

  /// `by_zeros`: memory that nobody has used yet needs no making.
  template <bool by_zeros, class Make>
  void resize_with(std::size_t count, const Make& one) {
    if (count < size_) {
      std::destroy(data() + count, data() + size_);
      used_ = true;
    } else if (count > room_) {
      block fresh(count, how_);
      if constexpr (!by_zeros) fresh.make(size_, count, one);
      detail::made_so_far<T> until_moved(fresh.data() + size_, fresh.data() + (by_zeros ? size_ : count));
      move_to(std::move(fresh));
      until_moved.keep();
    } else if (count > size_ && (!by_zeros || used_)) {
      const bool was = std::exchange(used_, true);  // as in emplace_back
      detail::make_at_home(data(), size_, count, count, one);
      used_ = was;
    }
    size_ = count;
  }

  placement how_;
  bool used_ = false;  // memory beyond the size may hold what is no zero any more
};

}  // namespace jackdaw

#pragma GCC visibility pop
