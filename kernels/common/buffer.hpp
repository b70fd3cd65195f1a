#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace jackdaw::kernels {

/// An uninitialised array that starts on a cache line. Unlike the pages of a std::vector, its pages are placed by the
/// threads that write them first.
template <class T>
class buffer {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);

 public:
  buffer() = default;
  explicit buffer(std::size_t size) : data_(static_cast<T*>(::operator new(size * sizeof(T), line))), size_(size) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  static constexpr std::align_val_t line{64};
  struct release {
    void operator()(T* p) const { ::operator delete(p, line); }
  };

  std::unique_ptr<T, release> data_;
  std::size_t size_ = 0;
};

}  // namespace jackdaw::kernels
