// Replaces operator new of this program, so that what it records does not depend on where the heap has free memory: an
// allocation that is not small has an unused small page on either side. So arrays that happen to be neighbours are
// objects of their own to trace::relocate(), and an array is one object, with the parts of it that are never touched.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t small = 1024, page = 4096;

/// Returns null if there is no memory. In front of what it returns stands the address of the block.
void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t apart = bytes < small ? 0 : page;
  const std::size_t before = (apart + sizeof(void*) + alignment - 1) / alignment * alignment;
  if (bytes > PTRDIFF_MAX - before - apart - alignment) return nullptr;
  const std::size_t whole = (before + bytes + apart + alignment - 1) / alignment * alignment;
  void* const block =
      alignment <= alignof(std::max_align_t) ? std::malloc(whole) : std::aligned_alloc(alignment, whole);
  if (block == nullptr) return nullptr;
  auto* const made = static_cast<std::byte*>(block) + before;
  *(reinterpret_cast<void**>(made) - 1) = block;
  return made;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  for (;;) {
    if (void* const made = allocate(bytes, alignment)) return made;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void release(void* given) noexcept {
  if (given != nullptr) std::free(*(static_cast<void**>(given) - 1));
}

}  // namespace

// The other forms call these.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, std::max(static_cast<std::size_t>(alignment), alignof(std::max_align_t)));
}
void operator delete(void* given) noexcept { release(given); }
void operator delete(void* given, std::align_val_t) noexcept { release(given); }
void operator delete(void* given, std::size_t) noexcept { release(given); }
void operator delete(void* given, std::size_t, std::align_val_t) noexcept { release(given); }
