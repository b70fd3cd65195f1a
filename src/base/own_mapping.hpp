#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jackdaw::detail {

/// Memory that jackdaw has mapped for itself: stacks of tasks, deques, buffers. While it lives it is in a list of this
/// process, so that a report on the program's memory can leave it out. The list takes no memory of its own: it links
/// the objects themselves. So none may be on a thread's stack or in a thread's variables while other threads may fork:
/// the child gives such memory of its parent's threads to new ones.
class own_mapping {
 public:
  own_mapping() noexcept = default;
  ~own_mapping() { unmap(); }
  own_mapping(const own_mapping&) = delete;
  own_mapping& operator=(const own_mapping&) = delete;

  /// Maps fresh private memory with the rights and further flags of mmap. False: the system has none.
  [[nodiscard]] bool map(std::size_t bytes, int rights, int flags = 0) noexcept;
  /// Takes over what the caller has mapped.
  void adopt(void* begin, std::size_t bytes) noexcept;
  /// Does nothing if there is none. False: the system keeps the memory, which is the caller's no more.
  bool unmap() noexcept;

  /// Null: there is none.
  void* data() const noexcept { return begin_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  friend std::vector<struct own_range> own_ranges();

  void* begin_ = nullptr;
  std::size_t bytes_ = 0;
  own_mapping *next_ = nullptr, *before_ = nullptr;  // in the list; guarded by its lock
};

struct own_range {
  std::uintptr_t begin = 0, end = 0;
};
/// Returns all of this process, ascending by address; they are disjoint. Throws std::bad_alloc.
std::vector<own_range> own_ranges();

/// keep_*() is called before a fork(), release_*() afterwards, in parent and child: the child could wait for ever for a
/// lock that another thread held.
void keep_own_mappings() noexcept;
void release_own_mappings() noexcept;

}  // namespace jackdaw::detail
