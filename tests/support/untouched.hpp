#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace jackdaw::test {

/// Pages that no thread has touched.
class untouched {
 public:
  explicit untouched(std::size_t pages)
      : size_(pages * page()),
        first_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (first_ == MAP_FAILED) throw std::runtime_error("mmap");
    madvise(first_, size_, MADV_NOHUGEPAGE);
  }
  ~untouched() { munmap(first_, size_); }
  untouched(const untouched&) = delete;
  untouched& operator=(const untouched&) = delete;

  static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  volatile char& operator[](std::size_t byte) { return static_cast<char*>(first_)[byte]; }
  char* data() { return static_cast<char*>(first_); }
  std::size_t size() const { return size_; }
  /// How many pages have memory by now.
  std::size_t resident() const {
    std::vector<unsigned char> pages(size_ / page());
    if (mincore(first_, size_, pages.data()) != 0) throw std::runtime_error("mincore");
    return static_cast<std::size_t>(
        std::count_if(pages.begin(), pages.end(), [](auto each) { return (each & 1) != 0; }));
  }

 private:
  std::size_t size_;
  void* first_;
};

}  // namespace jackdaw::test
