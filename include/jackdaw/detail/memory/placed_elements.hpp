#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "jackdaw/memory/placed_memory.hpp"

#pragma GCC visibility push(default)

namespace jackdaw::detail {

/// Elements in placed memory, and what a container of them shows: the part that placed_array and placed_vector share.
template <class T>
class placed_elements {
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

  placed_elements(const placed_elements&) = delete;
  placed_elements& operator=(const placed_elements&) = delete;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return static_cast<T*>(static_cast<void*>(memory_.data())); }
  const T* data() const noexcept { return static_cast<const T*>(static_cast<const void*>(memory_.data())); }
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

  /// Of the memory that there is now; empty without any.
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

#pragma GCC visibility pop
