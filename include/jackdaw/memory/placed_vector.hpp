#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "jackdaw/detail/caught.hpp"
#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/memory/first_touch.hpp"
#include "jackdaw/detail/memory/placed_elements.hpp"
#include "jackdaw/memory/placed_memory.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// A vector whose memory a placement policy places on memory nodes, in pages of its own.
///
/// When the vector grows, the same policy places its new memory, and the elements move there in parallel. They are
/// moved if that cannot throw, and otherwise copied if they can be. An exception leaves the vector unchanged, unless
/// elements can only be moved and a move throws.
///
/// A policy divides the whole capacity among the nodes. resize() and shrink_to_fit() make the capacity equal to the
/// size, so that each block of a later loop is where its first touch was. push_back() doubles the capacity; the blocks
/// of later loops are then shorter than those that were placed. shrink_to_fit() places the vector anew.
///
/// Functions that make, copy or move several elements run parallel loops. Outside of tasks they use
/// runtime::instance().
/// @par Thread safety
/// As for standard containers: any number of readers, or one writer.
/// @par Complexity
/// Making, copying and moving n elements: as a for_index() with default options. Destroying n elements: O(n), serially,
/// by the calling thread, unless T is trivially destructible.
template <class T>
class placed_vector : public detail::placed_elements<T> {
  using base = detail::placed_elements<T>;
  using base::memory_, base::size_, base::room_;

 public:
  using base::data;

  /// Makes an empty vector with the default policy, first touch. It takes no memory yet.
  placed_vector() : placed_vector(placement{}) {}
  /// Makes an empty vector with the given policy. It takes no memory yet.
  explicit placed_vector(const placement& how) : how_(how) {}
  /// Makes a vector of `count` value-initialised elements.
  ///
  /// @param count The number of elements, which may be 0.
  /// @param how The policy that places the memory.
  /// @throws error for a `count` beyond the address space, and as the constructor of placed_memory does.
  /// @throws std::bad_alloc if there is no memory.
  /// @throws anything that a constructor of T throws. No element is left behind then.
  explicit placed_vector(std::size_t count, const placement& how = {})
    requires std::is_default_constructible_v<T>
      : how_(how) {
    resize(count);
  }
  /// Makes a vector of `count` copies of a value; otherwise as placed_vector(std::size_t, const placement&).
  placed_vector(std::size_t count, const T& value, const placement& how = {}) : how_(how) { resize(count, value); }

  /// Makes a copy of `from` that the policy `how` places. The elements are copied in parallel.
  placed_vector(const placed_vector& from, const placement& how) : how_(how) {
    if (from.empty()) return;
    block fresh(from.size_, how_);
    fresh.make(0, from.size_, [&](T* at, std::size_t i) { std::construct_at(at, from[i]); });
    take(std::move(fresh), from.size_);
  }
  /// Makes a copy of `from` with the same policy. The elements are copied in parallel.
  placed_vector(const placed_vector& from) : placed_vector(from, from.how_) {}

  /// Makes a copy of `from` that the policy `how` places. The calling thread copies all elements; nothing is forked.
  /// `replicated` uses this constructor.
  placed_vector(const placed_vector& from, const placement& how, detail::by_this_thread) : how_(how) {
    if (from.empty()) return;
    block fresh(from.size_, how_, detail::by_this_thread{});
    std::uninitialized_copy(from.begin(), from.end(), fresh.data());
    take(std::move(fresh), from.size_);
  }

  /// Takes the memory and the elements of `from`, which is empty afterwards.
  placed_vector(placed_vector&& from) noexcept { swap(from); }
  /// Replaces the vector by `from`, including its policy. A copied operand keeps its own policy as well.
  placed_vector& operator=(placed_vector from) noexcept {
    swap(from);
    return *this;
  }

  /// Returns the number of elements that the memory has room for.
  std::size_t capacity() const noexcept { return room_; }
  /// Returns element i.
  ///
  /// @throws std::out_of_range unless `i < size()`.
  T& at(std::size_t i) { return data()[in_range(i)]; }
  /// Returns element i.
  ///
  /// @throws std::out_of_range unless `i < size()`.
  const T& at(std::size_t i) const { return data()[in_range(i)]; }

  /// Returns the policy that places the memory.
  const placement& policy() const noexcept { return how_; }

  /// Changes the size. New elements are value-initialised in parallel.
  ///
  /// @param count The new size. If it exceeds the capacity, the capacity becomes `count`.
  /// @throws error, std::bad_alloc, or what a constructor of T throws, as the constructors do. The vector is then
  /// unchanged, with the exception that the class describes.
  void resize(std::size_t count)
    requires std::is_default_constructible_v<T>
  {
    resize_with<detail::zeros_are_value<T>>(count, [](T* at, std::size_t) { std::construct_at(at); });
  }
  /// Changes the size. New elements are copies of a value, which may be an element of the vector; otherwise as
  /// resize(std::size_t).
  void resize(std::size_t count, const T& value) {
    // It may be one of the elements: the new ones are made before those move.
    resize_with<false>(count, [&](T* at, std::size_t) { std::construct_at(at, value); });
  }

  /// Makes the capacity at least `count` and places the new memory.
  ///
  /// @throws error or std::bad_alloc, as the constructors do.
  void reserve(std::size_t count) {
    if (count > room_) move_to(block(count, how_));
  }
  /// Makes the capacity equal to the size, and places the vector anew if it was larger.
  ///
  /// @throws error or std::bad_alloc, as the constructors do.
  void shrink_to_fit() {
    if (size_ == room_) return;
    if (size_ == 0) {
      memory_ = placed_memory();
      room_ = 0;
    } else {
      move_to(block(size_, how_));
    }
  }

  /// Appends a copy of a value, which may be an element of the vector; otherwise as emplace_back().
  void push_back(const T& value) { emplace_back(value); }
  /// Appends a value by moving it; otherwise as emplace_back().
  void push_back(T&& value) { emplace_back(std::move(value)); }
  /// Appends an element and returns a reference to it.
  ///
  /// @param arguments The arguments of the constructor. They may refer to elements of the vector.
  /// @throws error, std::bad_alloc, or what a constructor of T throws, as the constructors do. The vector is then
  /// unchanged, with the exception that the class describes.
  /// @par Complexity
  /// Amortised constant. A full vector doubles its capacity.
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
  /// Removes the last element. The vector must not be empty.
  void pop_back() noexcept {
    std::destroy_at(data() + --size_);
    used_ = true;
  }
  /// Removes all elements and keeps the memory.
  void clear() noexcept {
    std::destroy_n(data(), size_);
    size_ = 0;
    used_ = true;
  }

  /// Exchanges memory, elements and policies with `other`, in constant time.
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
    if (i >= size_) detail::throw_out_of_range("placed_vector::at");
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

  /// `by_zeros`: fresh memory needs no elements to be constructed.
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

JACKDAW_EXPORT_END
