// OpenMP's allocators. All memory is the C library's; of an allocator's traits the alignment, the pool's size and what
// happens when that is used up count. In front of each piece is what free and realloc need.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "gomp/fail.hpp"
#include "gomp/settings.hpp"

namespace jackdaw::gomp {
namespace {

/// omp_alloctrait_t and its keys and values, as far as they are used.
struct trait {
  int key;
  std::uintptr_t value;
};
enum : int { key_alignment = 2, key_pool_size = 4, key_fallback = 5 };
enum : std::uintptr_t { default_fallback = 11, null_fallback = 12, abort_fallback = 13 };

struct allocator {
  std::size_t alignment = alignof(std::max_align_t);
  std::size_t most = SIZE_MAX;  ///< bytes of all pieces together
  std::uintptr_t fallback = default_fallback;
  std::atomic<std::size_t> used{0};

  bool reserve(std::size_t size) noexcept {
    std::size_t now = used.load(std::memory_order_relaxed);
    do {
      if (size > most - std::min(now, most)) return false;
    } while (!used.compare_exchange_weak(now, now + size, std::memory_order_relaxed));
    return true;
  }
};
/// Smaller numbers are allocators that OpenMP defines; larger ones are addresses.
constexpr std::uintptr_t last_defined = 8;

struct head {
  void* whole;
  std::size_t size;
  allocator* by;  ///< whose pool it is from; null: no allocator of the program's
  void* unused;   ///< so that this is a multiple of 16 bytes long
};

void* take(std::size_t alignment, std::size_t size, std::uintptr_t from, bool clears) noexcept {
  if (size == 0) return nullptr;
  if (from == 0) from = settings::of_process().allocator.load(std::memory_order_relaxed);
  auto* by = from > last_defined ? reinterpret_cast<allocator*>(from) : nullptr;
  if (by != nullptr) alignment = std::max(alignment, by->alignment);
  alignment = std::max(alignment, alignof(std::max_align_t));
  const std::size_t room = size + alignment + sizeof(head);
  if (room < size) return nullptr;
  if (by != nullptr && !by->reserve(size)) {
    if (by->fallback == abort_fallback) fail("an allocator has no memory left");
    if (by->fallback == null_fallback) return nullptr;
    by = nullptr;
  }
  void* const whole = clears ? std::calloc(1, room) : std::malloc(room);
  if (whole == nullptr) {
    if (by != nullptr) by->used.fetch_sub(size, std::memory_order_relaxed);
    return nullptr;
  }
  auto at = reinterpret_cast<std::uintptr_t>(whole) + sizeof(head);
  at = (at + alignment - 1) & ~(static_cast<std::uintptr_t>(alignment) - 1);
  auto* const found = reinterpret_cast<head*>(at);
  found[-1] = {whole, size, by, nullptr};
  return found;
}

bool multiplied(std::size_t a, std::size_t b, std::size_t& product) noexcept {
  return !__builtin_mul_overflow(a, b, &product);
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void* GOMP_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  void* const found = take(alignment, size, allocator, false);
  if (found == nullptr && size != 0) fail("no memory is left for an allocate clause");
  return found;
}
void* omp_alloc(std::size_t size, std::uintptr_t allocator) { return take(1, size, allocator, false); }
void* omp_aligned_alloc(std::size_t alignment, std::size_t size, std::uintptr_t allocator) {
  return take(alignment, size, allocator, false);
}
void* omp_calloc(std::size_t count, std::size_t size, std::uintptr_t allocator) {
  return multiplied(count, size, size) ? take(1, size, allocator, true) : nullptr;
}
void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size, std::uintptr_t allocator) {
  return multiplied(count, size, size) ? take(alignment, size, allocator, true) : nullptr;
}
void omp_free(void* memory, std::uintptr_t /*allocator*/) {
  if (memory == nullptr) return;
  const head& of = static_cast<head*>(memory)[-1];
  if (of.by != nullptr) of.by->used.fetch_sub(of.size, std::memory_order_relaxed);
  std::free(of.whole);
}
void GOMP_free(void* memory, std::uintptr_t allocator) { omp_free(memory, allocator); }
void* omp_realloc(void* memory, std::size_t size, std::uintptr_t allocator, std::uintptr_t old) {
  void* const found = take(1, size, allocator != 0 ? allocator : old, false);
  if (memory == nullptr) return found;
  if (found != nullptr) std::memcpy(found, memory, std::min(size, static_cast<head*>(memory)[-1].size));
  if (found != nullptr || size == 0) omp_free(memory, old);
  return found;
}

std::uintptr_t omp_init_allocator(std::uintptr_t /*memory space*/, int count, const trait* traits) {
  auto* const made = new allocator;
  for (int i = 0; i < count; ++i) {
    switch (traits[i].key) {
      case key_alignment:
        made->alignment = std::max<std::size_t>(traits[i].value, 1);
        break;
      case key_pool_size:
        made->most = traits[i].value;
        break;
      case key_fallback:
        made->fallback = traits[i].value;
        break;
      default:
        break;
    }
  }
  return reinterpret_cast<std::uintptr_t>(made);
}
std::uintptr_t omp_init_allocator_(const std::uintptr_t* space, const int* count, const trait* traits) {
  return omp_init_allocator(*space, *count, traits);
}
std::uintptr_t omp_init_allocator_8_(const std::uintptr_t* space, const std::int64_t* count, const trait* traits) {
  return omp_init_allocator(*space, static_cast<int>(*count), traits);
}
void omp_destroy_allocator(std::uintptr_t one) {
  if (one > last_defined) delete reinterpret_cast<allocator*>(one);
}
void omp_destroy_allocator_(const std::uintptr_t* one) { omp_destroy_allocator(*one); }

std::uintptr_t omp_get_default_allocator() { return settings::of_process().allocator.load(std::memory_order_relaxed); }
std::uintptr_t omp_get_default_allocator_() { return omp_get_default_allocator(); }
void omp_set_default_allocator(std::uintptr_t one) {
  settings::of_process().allocator.store(one != 0 ? one : 1, std::memory_order_relaxed);
}
void omp_set_default_allocator_(const std::uintptr_t* one) { omp_set_default_allocator(*one); }
}
