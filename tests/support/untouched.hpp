#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>

namespace jackdaw::test {

/// Pages that nobody has touched.
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

 private:
  std::size_t size_;
  void* first_;
};

/// Of the calling thread.
inline long page_faults() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt;
}

}  // namespace jackdaw::test
