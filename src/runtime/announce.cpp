#include "runtime/announce.hpp"

#include <pthread.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define JACKDAW_VALGRIND
#endif

#include "runtime/worker.hpp"

// The sanitizers' functions. Each is null in a program that is not linked with that sanitizer.
// NOLINTBEGIN(bugprone-reserved-identifier): the names are theirs
extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* saved, const void** old_bottom, std::size_t* old_size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t size);
[[gnu::weak]] void __lsan_register_root_region(const void* begin, std::size_t size);
[[gnu::weak]] void __lsan_unregister_root_region(const void* begin, std::size_t size);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace jackdaw::detail {
namespace {

bool has_address_sanitizer() noexcept { return &__sanitizer_start_switch_fiber != nullptr; }
bool has_thread_sanitizer() noexcept { return &__tsan_switch_to_fiber != nullptr; }

/// A worker's own stack, as the sanitizers know it.
struct thread_stack {
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake = nullptr;
  void* tsan = nullptr;
};
thread_local thread_stack loop_stack;

[[gnu::noinline]] thread_stack& of_this_thread() noexcept {
  asm volatile("" ::: "memory");
  thread_stack& own = loop_stack;
  if (own.bottom == nullptr && has_address_sanitizer()) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* bottom = nullptr;
    pthread_attr_getstack(&attributes, &bottom, &own.size);
    own.bottom = bottom;
    pthread_attr_destroy(&attributes);
  }
  return own;
}

}  // namespace

bool has_sanitizer() noexcept { return has_address_sanitizer() || has_thread_sanitizer(); }

void announce_start(fiber* fresh) noexcept {
  if (has_address_sanitizer()) {
    __asan_unpoison_memory_region(fresh->stack, static_cast<std::size_t>(fresh->top() - fresh->stack));
    fresh->fake_stack = nullptr;
  }
  if (!has_thread_sanitizer() || !fresh->tsan_stale) {
    return;
  }
  if (fresh->tsan != nullptr) {
    __tsan_destroy_fiber(fresh->tsan);
  }
  fresh->tsan = __tsan_create_fiber(0);
  fresh->tsan_stale = false;
}

JACKDAW_UNSEEN void announce_leave(fiber* from, fiber* to, bool ends) noexcept {
  if (!has_sanitizer()) {
    return;
  }
  thread_stack& own = of_this_thread();
  if (has_address_sanitizer()) {
    void** const save = ends ? nullptr : from != nullptr ? &from->fake_stack : &own.fake;
    if (to != nullptr) {
      __sanitizer_start_switch_fiber(save, to->stack, static_cast<std::size_t>(to->top() - to->stack));
    } else {
      __sanitizer_start_switch_fiber(save, own.bottom, own.size);
    }
  }
  if (has_thread_sanitizer()) {
    if (from == nullptr) {
      own.tsan = __tsan_get_current_fiber();
    }
    __tsan_switch_to_fiber(to != nullptr ? to->tsan : own.tsan, 0);
  }
}

JACKDAW_UNSEEN void announce_arrive() noexcept {
  if (has_address_sanitizer()) {
    fiber* const now = this_worker()->active->current;
    __sanitizer_finish_switch_fiber(now != nullptr ? now->fake_stack : of_this_thread().fake, nullptr, nullptr);
  }
}

void announce_retirement(fiber& gone) noexcept {
  if (gone.tsan != nullptr) {
    __tsan_destroy_fiber(gone.tsan);
  }
}

unsigned announce_stack(std::byte* lowest, std::size_t size) noexcept {
  if (&__lsan_register_root_region != nullptr) {
    __lsan_register_root_region(lowest, size);
  }
#if defined(JACKDAW_VALGRIND)
  return VALGRIND_STACK_REGISTER(lowest, lowest + size - 1);
#else
  return 0;
#endif
}

void retract_stack(std::byte* lowest, std::size_t size, [[maybe_unused]] unsigned number) noexcept {
  if (&__lsan_unregister_root_region != nullptr) {
    __lsan_unregister_root_region(lowest, size);
  }
#if defined(JACKDAW_VALGRIND)
  VALGRIND_STACK_DEREGISTER(number);
#endif
}

kept_frames::kept_frames() noexcept {
  if (&__lsan_register_root_region == nullptr || !has_address_sanitizer()) {
    return;
  }
  const thread_stack& own = of_this_thread();
  const auto* const bottom = static_cast<const std::byte*>(own.bottom);
  const auto* const here = static_cast<const std::byte*>(__builtin_frame_address(0));
  if (here < bottom || here >= bottom + own.size) {
    return;  // on a stack of the program's making
  }
  lowest_ = here;
  size_ = static_cast<std::size_t>(bottom + own.size - here);
  __lsan_register_root_region(lowest_, size_);
}

kept_frames::~kept_frames() {
  if (lowest_ != nullptr) {
    __lsan_unregister_root_region(lowest_, size_);
  }
}

loop_stack_on::loop_stack_on(fiber* on) noexcept : elsewhere_(on != nullptr && has_sanitizer()) {
  if (elsewhere_) {
    thread_stack& own = of_this_thread();
    bottom_ = own.bottom;
    size_ = own.size;
    fake_ = own.fake;
    tsan_ = own.tsan;
    own = {on->stack, static_cast<std::size_t>(on->top() - on->stack), nullptr, nullptr};
  }
}

loop_stack_on::~loop_stack_on() {
  if (elsewhere_) {
    of_this_thread() = {bottom_, size_, fake_, tsan_};
  }
}

void forget_memory(std::byte* lowest, std::size_t size) noexcept {
  if (&__asan_unpoison_memory_region != nullptr) {
    __asan_unpoison_memory_region(lowest, size);
  }
}

}  // namespace jackdaw::detail
