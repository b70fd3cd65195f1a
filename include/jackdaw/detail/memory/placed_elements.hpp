#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/memory/placed_memory.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw::detail {

/// The elements of a placed container: the members that placed_array and placed_vector share.
///
/// Programs use it only through these two classes. Iterators are pointers. Growing or swapping a container invalidates
/// them.
template <class T>
class placed_elements {
 public:
  using value_type = T;                    ///< The type of the elements.
  using size_type = std::size_t;           ///< The type of sizes and indices.
  using difference_type = std::ptrdiff_t;  ///< The type of differences of iterators.
  using reference = T&;                    ///< A reference to an element.
  using const_reference = const T&;        ///< A reference to a constant element.
  using pointer = T*;                      ///< A pointer to an element.
  using const_pointer = const T*;          ///< A pointer to a constant element.
  using iterator = T*;                     ///< A contiguous iterator.
  using const_iterator = const T*;         ///< A contiguous iterator over constant elements.

  /// Not copyable; the containers are.
  placed_elements(const placed_elements&) = delete;
  /// Not assignable; the containers are.
  placed_elements& operator=(const placed_elements&) = delete;

  /// Returns the number of elements.
  std::size_t size() const noexcept { return size_; }
  /// Returns whether there are no elements.
  bool empty() const noexcept { return size_ == 0; }
  /// Returns a pointer to the first element; null without memory.
  T* data() noexcept { return static_cast<T*>(static_cast<void*>(memory_.data())); }
  /// Returns a pointer to the first element; null without memory.
  const T* data() const noexcept { return static_cast<const T*>(static_cast<const void*>(memory_.data())); }
  /// Returns the beginning of the elements.
  T* begin() noexcept { return data(); }
  /// Returns the end of the elements.
  T* end() noexcept { return data() + size_; }
  /// Returns the beginning of the elements.
  const T* begin() const noexcept { return data(); }
  /// Returns the end of the elements.
  const T* end() const noexcept { return data() + size_; }
  /// Returns element i, which must exist.
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  /// Returns element i, which must exist.
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  /// Returns the first element, which must exist.
  T& front() noexcept { return data()[0]; }
  /// Returns the first element, which must exist.
  const T& front() const noexcept { return data()[0]; }
  /// Returns the last element, which must exist.
  T& back() noexcept { return data()[size_ - 1]; }
  /// Returns the last element, which must exist.
  const T& back() const noexcept { return data()[size_ - 1]; }

  /// Returns what became of the placement of the current memory. The report is empty without memory.
  const placement_report& report() const noexcept { return memory_.report(); }

 protected:
  placed_elements() noexcept = default;
  placed_elements(placed_memory memory, std::size_t room) noexcept : memory_(std::move(memory)), room_(room) {}
  /// By the thread that destroys the container.
  ~placed_elements() { std::destroy_n(data(), size_); }

  void swap(placed_elements& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  placed_memory memory_;
  std::size_t size_ = 0;  // elements that live
  std::size_t room_ = 0;  // elements that the memory is for
};

}  // namespace jackdaw::detail

JACKDAW_EXPORT_END
