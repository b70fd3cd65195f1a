#include "jackdaw/detail/fiber.hpp"
#include "runtime/worker.hpp"

#if defined(JACKDAW_ASAN)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(JACKDAW_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(JACKDAW_ASAN) || defined(JACKDAW_TSAN)

namespace jackdaw::detail {

#if defined(JACKDAW_ASAN)
const char jackdaw_must_be_built_with_address_sanitizer_too = 1;
#endif
#if defined(JACKDAW_TSAN)
const char jackdaw_must_be_built_with_thread_sanitizer_too = 1;
#endif

namespace {

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
#if defined(JACKDAW_ASAN)
  if (own.bottom == nullptr) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void* bottom = nullptr;
    pthread_attr_getstack(&attributes, &bottom, &own.size);
    own.bottom = bottom;
    pthread_attr_destroy(&attributes);
  }
#endif
  return own;
}

}  // namespace

void announce_start([[maybe_unused]] fiber* fresh) noexcept {
#if defined(JACKDAW_ASAN)
  __asan_unpoison_memory_region(fresh->stack, static_cast<std::size_t>(fresh->top() - fresh->stack));
  fresh->fake_stack = nullptr;
#endif
#if defined(JACKDAW_TSAN)
  if (!fresh->tsan_stale) {
    return;
  }
  if (fresh->tsan != nullptr) {
    __tsan_destroy_fiber(fresh->tsan);
  }
  fresh->tsan = __tsan_create_fiber(0);
  fresh->tsan_stale = false;
#endif
}

JACKDAW_UNSEEN void announce_leave(fiber* from, fiber* to, [[maybe_unused]] bool ends) noexcept {
  thread_stack& own = of_this_thread();
#if defined(JACKDAW_ASAN)
  void** const save = ends ? nullptr : from != nullptr ? &from->fake_stack : &own.fake;
  if (to != nullptr) {
    __sanitizer_start_switch_fiber(save, to->stack, static_cast<std::size_t>(to->top() - to->stack));
  } else {
    __sanitizer_start_switch_fiber(save, own.bottom, own.size);
  }
#endif
#if defined(JACKDAW_TSAN)
  if (from == nullptr) {
    own.tsan = __tsan_get_current_fiber();
  }
  __tsan_switch_to_fiber(to != nullptr ? to->tsan : own.tsan, 0);
#else
  static_cast<void>(from);
#endif
}

JACKDAW_UNSEEN void announce_arrive() noexcept {
#if defined(JACKDAW_ASAN)
  fiber* const now = this_worker()->active->current;
  __sanitizer_finish_switch_fiber(now != nullptr ? now->fake_stack : of_this_thread().fake, nullptr, nullptr);
#endif
}

}  // namespace jackdaw::detail

#endif
