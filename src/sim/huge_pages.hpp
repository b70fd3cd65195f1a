#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace jackdaw::sim {

/// Memory in large pages of the host where it gives them, for tables that are read at random: with small pages most of
/// the time goes into finding out where they are. Of what is allocated whole, blocks of less than 2 MiB get none.
class huge_pages final : public std::pmr::memory_resource {
 public:
  /// The one of this process.
  static huge_pages* get() noexcept {
    static huge_pages one;
    return &one;
  }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  static std::align_val_t alignment(std::size_t bytes, std::size_t wanted) noexcept {
    return std::align_val_t{bytes < page || wanted > page ? wanted : page};
  }

  void* do_allocate(std::size_t bytes, std::size_t wanted) override {
    void* const memory = ::operator new(bytes, alignment(bytes, wanted));
#ifdef MADV_HUGEPAGE
    // Only advice: whether it is taken changes no result.
    if (bytes >= page) ::madvise(memory, bytes / page * page, MADV_HUGEPAGE);
#endif
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t wanted) override {
    ::operator delete(memory, bytes, alignment(bytes, wanted));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace jackdaw::sim
