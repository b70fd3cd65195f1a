#include "numa/mapped_pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "numa/page_sizes.hpp"

namespace jackdaw::numa {
namespace {

std::byte* map_aligned(std::size_t bytes, std::size_t alignment) {
  const std::size_t spare = alignment - this_computers_pages().base;
  void* const got = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(got);
  const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(got) % alignment) % alignment;
  if (before != 0) munmap(begin, before);
  if (spare != before) munmap(begin + before + bytes, spare - before);
  return begin + before;
}

void choose_pages(std::byte* data, std::size_t bytes, std::size_t page) {
  const page_sizes& sizes = this_computers_pages();
  // Without a request for huge pages, one would lie wholly on the node of the thread that first touches any part of it.
  if (page != sizes.base) {
    madvise(data, bytes, MADV_HUGEPAGE);
  } else if (sizes.unasked) {
    madvise(data, bytes, MADV_NOHUGEPAGE);
  }
}

}  // namespace

mapped_pages::mapped_pages(std::size_t bytes, std::size_t alignment, std::size_t page)
    : data_(map_aligned(bytes, alignment)), size_(bytes) {
  choose_pages(data_, size_, page);
}

mapped_pages::~mapped_pages() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace jackdaw::numa
