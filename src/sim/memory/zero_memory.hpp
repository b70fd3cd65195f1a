#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace jackdaw::sim {

/// Tables that are initially zero, side by side in one piece of memory. The host provides memory only for the parts
/// that are used, in large pages if it can. The tables are read at random, so with small pages most of the time would
/// be spent on address translation.
class zero_memory {
 public:
  /// Throws std::bad_alloc.
  explicit zero_memory(std::size_t bytes);

  /// Returns the next `count` elements, all bits zero, aligned to a line of the host's cache. There must be room.
  template <class T>
  std::span<T> take(std::size_t count) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    T* const first = reinterpret_cast<T*>(memory_.get() + used_);
    used_ += size_of<T>(count);
    return {first, count};
  }
  /// Returns the bytes that take<T>(count) takes.
  template <class T>
  static constexpr std::size_t size_of(std::size_t count) noexcept {
    return (count * sizeof(T) + line - 1) / line * line;
  }

  std::size_t size() const noexcept { return size_; }
  /// Returns the bytes that can still be taken.
  std::size_t left() const noexcept { return size_ - std::min(size_, used_ - begin_); }

 private:
  static constexpr std::size_t line = 64;
  struct release {
    void operator()(std::byte* memory) const noexcept;
  };

  std::size_t size_;
  std::size_t begin_ = 0;  ///< where the first piece is in memory_
  std::size_t used_ = 0;   ///< where the next one will be
  std::unique_ptr<std::byte[], release> memory_;
};

}  // namespace jackdaw::sim
