#include "task/fiber_pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#if defined(JACKDAW_ASAN)
#include <sanitizer/asan_interface.h>
#endif
#if defined(JACKDAW_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace jackdaw::detail {
namespace {

constexpr std::size_t most_at_once = 16;

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

fiber_pool::fiber_pool(std::size_t stack_size) : size_((stack_size + page_size() - 1) / page_size() * page_size()) {}

fiber_pool::~fiber_pool() {
  while (free_ != nullptr) {
    fiber* const gone = free_;
    free_ = gone->next;
    unmap(gone);
  }
}

fiber* fiber_pool::map() noexcept {
  // A guard of several pages: a frame that skips one page is not rare, one that skips sixteen is.
  const std::size_t guard = 16 * page_size();
  void* const memory =
      mmap(nullptr, guard + size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  auto* const stack = static_cast<std::byte*>(memory) + guard;
  if (mprotect(stack, size_, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, guard + size_);
    return nullptr;
  }
  // Each stack begins at another offset: with equal ones the tops of all stacks would share a few cache sets.
  const std::size_t offset = colour_.fetch_add(1, std::memory_order_relaxed) * 2496 % 4096;
  constexpr std::size_t header = (sizeof(fiber) + 63) / 64 * 64;
  auto* const made = new (stack + size_ - header - offset) fiber;
  made->stack = stack;
  made->guard = guard;
  made->end = stack + size_;
  return made;
}

void unmap(fiber* unused) noexcept {
#if defined(JACKDAW_TSAN)
  if (unused->tsan != nullptr) {
    __tsan_destroy_fiber(unused->tsan);
  }
#endif
  std::byte* const memory = unused->stack - unused->guard;
  const auto size = static_cast<std::size_t>(unused->end - memory);
#if defined(JACKDAW_ASAN)
  __asan_unpoison_memory_region(unused->stack, size - unused->guard);
#endif
  unused->~fiber();
  munmap(memory, size);
}

fiber* fiber_pool::take(std::size_t& count) noexcept {
  {
    const std::lock_guard hold(mutex_);
    if (free_ != nullptr) {
      fiber* const first = free_;
      fiber* last = first;
      for (count = 1; count < most_at_once && last->next != nullptr; ++count) {
        last = last->next;
      }
      free_ = last->next;
      last->next = nullptr;
      return first;
    }
  }
  count = 1;
  return map();
}

void fiber_pool::give(fiber* list) noexcept {
  const std::lock_guard hold(mutex_);
  while (list != nullptr) {
    fiber* const one = list;
    list = one->next;
    one->next = free_;
    free_ = one;
  }
}

}  // namespace jackdaw::detail
