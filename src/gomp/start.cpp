// What is done when the library is loaded, and when the process forks.
#include "gomp/start.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>

#include <cstddef>

#include "gomp/pool.hpp"
#include "gomp/settings.hpp"

namespace jackdaw::gomp {
namespace {

constinit long first_mask[128] = {};
constinit long first_mask_bytes = -1;

/// Without the C library, which may not be usable yet.
[[gnu::always_inline]] inline void read_first_mask() noexcept {
#if defined(__x86_64__) && defined(__LP64__)
  asm volatile("syscall"
               : "=a"(first_mask_bytes)
               : "a"(long{SYS_sched_getaffinity}), "D"(0l), "S"(sizeof first_mask), "d"(first_mask)
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_sched_getaffinity;
  register long first asm("x0") = 0;
  register unsigned long size asm("x1") = sizeof first_mask;
  register long* into asm("x2") = first_mask;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(size), "r"(into) : "memory");
  first_mask_bytes = first;
#endif
}

[[gnu::constructor]] void start() {
  pthread_atfork(nullptr, nullptr, &pool::forget_all);
  if (libgomp_is_loaded()) {
    // A program of OpenMP's begins. What it does to its environment and its affinity mask comes after this.
    (void)settings::of_process();
  } else {
    settings::show_if_asked();
  }
}

}  // namespace
}  // namespace jackdaw::gomp

// libgomp's own function at its loading comes before that of a preloaded library. Only the dynamic linker's choice of
// an implementation comes before both: it calls choose_nothing while it relocates this library.
// Not in a sanitized program, whose sanitizer is not ready then; there is no libgomp in one.
#ifdef JACKDAW_SANITIZED
namespace {
[[gnu::constructor]] void start_of_sanitized() { jackdaw::gomp::read_first_mask(); }
}  // namespace
#elif (defined(__x86_64__) && defined(__LP64__)) || defined(__aarch64__)
extern "C" {
static void do_nothing() {}
[[gnu::used]] static void (*choose_nothing())() {
  jackdaw::gomp::read_first_mask();
  return do_nothing;
}
static void jackdaw_nothing() __attribute__((ifunc("choose_nothing")));
}
[[gnu::used]] static void (*volatile is_chosen)() = jackdaw_nothing;
#endif

namespace jackdaw::gomp {

bool libgomp_is_loaded() noexcept {
  void* const found = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (found != nullptr) dlclose(found);
  return found != nullptr;
}

void restore_affinity() noexcept {
  if (first_mask_bytes > 0) {
    sched_setaffinity(0, static_cast<std::size_t>(first_mask_bytes), reinterpret_cast<const cpu_set_t*>(first_mask));
  }
}

}  // namespace jackdaw::gomp
