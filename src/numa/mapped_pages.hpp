#pragma once

#include <cstddef>
#include <utility>

namespace jackdaw::numa {

/// Fresh private pages, zeroed and on no node yet. The destructor unmaps them.
class mapped_pages {
 public:
  /// `bytes` bytes at a multiple of `alignment`, both multiples of the smallest page, in pages of `page` bytes if the
  /// kernel has such pages. Throws std::bad_alloc.
  mapped_pages(std::size_t bytes, std::size_t alignment, std::size_t page);
  ~mapped_pages();
  mapped_pages(const mapped_pages&) = delete;
  mapped_pages& operator=(const mapped_pages&) = delete;

  std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

  /// Releases the pages to the caller.
  std::byte* release() noexcept { return std::exchange(data_, nullptr); }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace jackdaw::numa
