#include "vm/memory_pages.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace jackdaw::test {

std::vector<int> nodes_of(std::span<const std::byte> whole_pages) {
  std::vector<const void*> pages;
  for (std::size_t i = 0; i < whole_pages.size(); i += memory_pages::page_bytes) pages.push_back(&whole_pages[i]);
  std::vector<int> found(pages.size());
  if (syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, found.data(), 0) != 0) {
    throw std::system_error(errno, std::generic_category(), "move_pages");
  }
  return found;
}

memory_pages::memory_pages(std::size_t count) : count_(count) {
  void* const mapped = mmap(nullptr, count * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  // Fails only on kernels that have no large pages.
  madvise(mapped, count * page_bytes, MADV_NOHUGEPAGE);
  data_ = static_cast<std::byte*>(mapped);
}

memory_pages::~memory_pages() { munmap(data_, count_ * page_bytes); }

whereabouts whereabouts::now() {
  whereabouts here;
  if (syscall(SYS_getcpu, &here.cpu, &here.node, nullptr) != 0) {
    throw std::system_error(errno, std::generic_category(), "getcpu");
  }
  return here;
}

}  // namespace jackdaw::test
