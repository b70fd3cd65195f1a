#include "runtime/held_thread.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include <atomic>
#include <cerrno>

namespace jackdaw::detail {
namespace {

constinit thread_local const held_thread* innermost_of_thread = nullptr;

}  // namespace

held_thread::held_thread(const cpu_mask& own) noexcept : own_(own), around_(innermost_of_thread) {
  if (held_.of_this_thread() && held_ != own_) innermost_of_thread = this;
}

held_thread::~held_thread() { innermost_of_thread = around_; }

// In a frame of its own: a task may be on another thread after any call.
[[gnu::noinline]] const held_thread* held_thread::innermost() noexcept { return innermost_of_thread; }

bool held_thread::holds() const noexcept {
  cpu_mask now;
  return now.of_this_thread() && now == held_;
}

}  // namespace jackdaw::detail

#if defined(JACKDAW_UNPIN_THREADS)
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the C library's
extern "C" {

using thread_function = void* (*)(void*);
using create_function = int(pthread_t*, const pthread_attr_t*, thread_function, void*);

// The C library's own name for it, which a program sees that has the C library as an archive: there is no next library
// then. What refers to thrd_create makes the linker take it from there.
[[gnu::weak]] create_function __pthread_create;
[[gnu::used]] static decltype(&thrd_create) const takes_threads_from_archive = &thrd_create;

/// What the program would call without this library. A sanitizer's interceptor is either before this one, and calls it,
/// or comes next. Null only if no C library has it.
static create_function* original() noexcept {
  static constinit std::atomic<create_function*> found{nullptr};
  create_function* known = found.load(std::memory_order_relaxed);
  if (known == nullptr) {
    known = &__pthread_create;
    if (known == nullptr) known = reinterpret_cast<create_function*>(dlsym(RTLD_NEXT, "pthread_create"));
    found.store(known, std::memory_order_relaxed);
  }
  return known;
}

/// Called in the place of the C library's, for all threads of the program. Weak, so that a definition of the program's
/// own, or of a library that it links as an archive, is no error; then threads inherit what their maker has.
///
/// The maker's mask is widened for the call, instead of setting the new thread's. So the thread has it from its first
/// instruction, and attributes mean what they say, their affinity included. The kernel moves no thread because its mask
/// grows; its balancer could, and the thread comes back at the end.
[[gnu::weak, gnu::visibility("default")]] int pthread_create(pthread_t* made, const pthread_attr_t* how,
                                                             thread_function start, void* argument) noexcept {
  create_function* const create = original();
  if (create == nullptr) {
    return EAGAIN;
  }
  const jackdaw::detail::held_thread* const held = jackdaw::detail::held_thread::innermost();
  if (held == nullptr || !held->holds() || !held->own().give_to_this_thread()) {
    return create(made, how, start, argument);
  }
  const int result = create(made, how, start, argument);
  held->hold();
  return result;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#endif
