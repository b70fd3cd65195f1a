#pragma once

#include <cstddef>
#include <utility>

namespace jackdaw::numa {

/// Fresh pages of this process's own, zeroed, on no node yet, and given back at the end.
class mapped_pages {
 public:
  /// `bytes` bytes at a multiple of `alignment`, both multiples of the smallest page, in pages of `page` bytes as far
  /// as the kernel gives them. Throws std::bad_alloc.
  mapped_pages(std::size_t bytes, std::size_t alignment, std::size_t page);
  ~mapped_pages();
  mapped_pages(const mapped_pages&) = delete;
  mapped_pages& operator=(const mapped_pages&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Leaves them to the caller.
  std::byte* release() noexcept { return std::exchange(data_, nullptr); }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace jackdaw::numa
