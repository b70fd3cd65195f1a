// operator new and delete. Those of the C++ library would do, but another allocator that the program brings, mimalloc
// among them, has its own, which may come before the C++ library's.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

/// As the standard says: asks the new-handler for memory until there is some, or it throws.
void* take(std::size_t bytes, std::size_t alignment) {
  for (;;) {
    void* const block = alignment <= alignof(std::max_align_t) ? std::malloc(bytes) : aligned_alloc(alignment, bytes);
    if (block != nullptr) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void* take_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    return take(bytes, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::size_t number_of(std::align_val_t alignment) noexcept { return static_cast<std::size_t>(alignment); }

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

#pragma GCC visibility push(default)

void* operator new(std::size_t bytes) { return take(bytes, usual); }
void* operator new[](std::size_t bytes) { return take(bytes, usual); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return take_or_null(bytes, usual); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return take_or_null(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t at) { return take(bytes, number_of(at)); }
void* operator new[](std::size_t bytes, std::align_val_t at) { return take(bytes, number_of(at)); }
void* operator new(std::size_t bytes, std::align_val_t at, const std::nothrow_t&) noexcept {
  return take_or_null(bytes, number_of(at));
}
void* operator new[](std::size_t bytes, std::align_val_t at, const std::nothrow_t&) noexcept {
  return take_or_null(bytes, number_of(at));
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept { std::free(block); }

#pragma GCC visibility pop
