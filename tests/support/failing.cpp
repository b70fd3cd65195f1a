// Takes the place of operator new, and of functions of the C library, libnuma and hwloc, in the program that it is part
// of.
#include "support/failing.hpp"

#include <dlfcn.h>
#include <hwloc.h>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>
#include <pthread.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace jackdaw::test {
namespace {

std::atomic<unsigned> failing_kinds{0};
std::atomic<long> asked{0}, first_failing{0};
std::atomic<bool> only_one{true};
std::atomic<long> blocks_held{0}, bytes_mapped{0}, stack_bytes{0}, unmaps_refused{0};
std::array<std::atomic<void*>, 256> stacks;  // where mappings of stacks begin

bool changes(std::atomic<void*>& from, void* expected, void* to) noexcept {
  return from.compare_exchange_strong(expected, to);
}

/// Whether what is asked for now fails.
bool fails(ask kind) noexcept {
  if (!includes(static_cast<ask>(failing_kinds.load(std::memory_order_acquire)), kind)) return false;
  const long number = asked.fetch_add(1, std::memory_order_relaxed);
  const long first = first_failing.load(std::memory_order_relaxed);
  const bool one = only_one.load(std::memory_order_relaxed);
  return one ? number == first : number >= first;
}

/// The function that is called by that name where this file is not part of the program. Its variable is initialised
/// before the program starts, and without a guard: ThreadSanitizer calls some of these before it is ready for guards.
template <class F>
class next {
 public:
  explicit constexpr next(const char* name) noexcept : name_(name) {}
  /// `in_sanitizer`: what is called instead where it is not null.
  next& unless(F in_sanitizer) noexcept {
    if (in_sanitizer != nullptr) known_.store(in_sanitizer, std::memory_order_relaxed);
    return *this;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) noexcept {
    F found = known_.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = reinterpret_cast<F>(dlsym(RTLD_NEXT, name_));
      known_.store(found, std::memory_order_relaxed);
    }
    return found(arguments...);
  }

 private:
  const char* name_;
  std::atomic<F> known_{nullptr};
};

int refused(int code) noexcept {
  errno = code;
  return -1;
}

void* allocate(std::size_t size, std::size_t align) noexcept {
  if (fails(ask::memory)) return nullptr;
  blocks_held.fetch_add(1, std::memory_order_relaxed);
  return align > alignof(std::max_align_t) ? std::aligned_alloc(align, (size + align - 1) / align * align)
                                           : std::malloc(size != 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size, std::size_t align) {
  if (void* const found = allocate(size, align)) return found;
  throw std::bad_alloc();
}

// Not inline: g++ warns of free() for what comes from operator new, where it sees both and takes the latter for its
// own.
[[gnu::noinline]] void give_back(void* gone) noexcept {
  if (gone != nullptr) blocks_held.fetch_sub(1, std::memory_order_relaxed);
  std::free(gone);
}

void count_map(void* at, long bytes, bool for_stacks) noexcept {
  if (for_stacks) {
    for (auto& each : stacks) {
      if (!changes(each, nullptr, at)) continue;
      stack_bytes += bytes;
      return;
    }
  }
  bytes_mapped += bytes;
}

void count_unmap(void* at, long bytes) noexcept {
  for (auto& each : stacks) {
    if (!changes(each, at, nullptr)) continue;
    stack_bytes -= bytes;
    return;
  }
  bytes_mapped -= bytes;
}

}  // namespace

failing::failing(ask kinds, long after, which of) noexcept {
  asked.store(0, std::memory_order_relaxed);
  first_failing.store(after, std::memory_order_relaxed);
  only_one.store(of == which::one, std::memory_order_relaxed);
  failing_kinds.store(static_cast<unsigned>(kinds), std::memory_order_release);
}

failing::~failing() { stop(); }

long failing::stop() noexcept {
  failing_kinds.store(0, std::memory_order_release);
  return asked.load(std::memory_order_relaxed);
}

holdings holdings::now() noexcept { return {blocks_held.load(), bytes_mapped.load(), stack_bytes.load()}; }

long refused_unmaps() noexcept { return unmaps_refused.load(); }

}  // namespace jackdaw::test

using jackdaw::test::allocate;
using jackdaw::test::allocate_or_throw;
using jackdaw::test::ask;
using jackdaw::test::count_map;
using jackdaw::test::count_unmap;
using jackdaw::test::fails;
using jackdaw::test::give_back;
using jackdaw::test::next;
using jackdaw::test::refused;

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return allocate_or_throw(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* gone) noexcept { give_back(gone); }
void operator delete[](void* gone) noexcept { give_back(gone); }
void operator delete(void* gone, std::size_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::size_t) noexcept { give_back(gone); }
void operator delete(void* gone, std::align_val_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::align_val_t) noexcept { give_back(gone); }
void operator delete(void* gone, std::size_t, std::align_val_t) noexcept { give_back(gone); }
void operator delete[](void* gone, std::size_t, std::align_val_t) noexcept { give_back(gone); }
void operator delete(void* gone, const std::nothrow_t&) noexcept { give_back(gone); }
void operator delete[](void* gone, const std::nothrow_t&) noexcept { give_back(gone); }

extern "C" {

// What clang's AddressSanitizer, which is part of the program itself, has in the place of these; null elsewhere. g++'s
// sanitizers are libraries, so that theirs come next.
[[gnu::weak]] void* __interceptor_mmap(void*, std::size_t, int, int, int, off_t);
[[gnu::weak]] int __interceptor_munmap(void*, std::size_t);
[[gnu::weak]] int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  if (fails(ask::map)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  static constinit next<decltype(&__interceptor_mmap)> real("mmap");
  void* const got = real.unless(&__interceptor_mmap)(at, bytes, protection, flags, file, offset);
  if (got != MAP_FAILED) count_map(got, static_cast<long>(bytes), (flags & MAP_STACK) != 0);
  return got;
}

int munmap(void* at, std::size_t bytes) noexcept {
  if (fails(ask::unmap)) {
    ++jackdaw::test::unmaps_refused;
    return refused(ENOMEM);
  }
  static constinit next<decltype(&__interceptor_munmap)> real("munmap");
  const int result = real.unless(&__interceptor_munmap)(at, bytes);
  if (result == 0) count_unmap(at, static_cast<long>(bytes));
  return result;
}

int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  if (fails(ask::protect)) return refused(ENOMEM);
  static constinit next<int (*)(void*, std::size_t, int)> real("mprotect");
  return real(at, bytes, protection);
}

int madvise(void* at, std::size_t bytes, int advice) noexcept {
  if (fails(ask::advise)) return refused(ENOMEM);
  static constinit next<int (*)(void*, std::size_t, int)> real("madvise");
  return real(at, bytes, advice);
}

long mbind(void* at, unsigned long bytes, int mode, const unsigned long* mask, unsigned long most, unsigned flags) {
  if (fails(ask::bind)) return refused(ENOMEM);
  static constinit next<long (*)(void*, unsigned long, int, const unsigned long*, unsigned long, unsigned)> real(
      "mbind");
  return real(at, bytes, mode, mask, most, flags);
}

int pthread_create(pthread_t* made, const pthread_attr_t* how, void* (*start)(void*), void* argument) noexcept {
  if (fails(ask::thread)) return EAGAIN;
  static constinit next<decltype(&__interceptor_pthread_create)> real("pthread_create");
  return real.unless(&__interceptor_pthread_create)(made, how, start, argument);
}

#if !defined(JACKDAW_TEST_SANITIZED)
int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept {
  if (fails(ask::at_exit)) return -1;
  static constinit next<int (*)(void (*)(void*), void*, void*)> real("__cxa_atexit");
  return real(function, argument, library);
}

int __register_atfork(void (*before)(), void (*in_parent)(), void (*in_child)(), void* library) noexcept {
  if (fails(ask::at_exit)) return ENOMEM;
  static constinit next<int (*)(void (*)(), void (*)(), void (*)(), void*)> real("__register_atfork");
  return real(before, in_parent, in_child, library);
}
#endif

int hwloc_topology_init(hwloc_topology_t* made) {
  if (fails(ask::describe)) return refused(ENOMEM);
  static constinit next<int (*)(hwloc_topology_t*)> real("hwloc_topology_init");
  return real(made);
}

int hwloc_topology_set_synthetic(hwloc_topology_t of, const char* description) {
  if (fails(ask::describe)) return refused(ENOMEM);
  static constinit next<int (*)(hwloc_topology_t, const char*)> real("hwloc_topology_set_synthetic");
  return real(of, description);
}

int hwloc_topology_load(hwloc_topology_t of) {
  if (fails(ask::describe)) return refused(ENOMEM);
  static constinit next<int (*)(hwloc_topology_t)> real("hwloc_topology_load");
  return real(of);
}

int hwloc_distances_get_by_type(hwloc_topology_t of, hwloc_obj_type_t type, unsigned* count, hwloc_distances_s** found,
                                unsigned long kind, unsigned long flags) {
  if (fails(ask::describe)) return refused(ENOMEM);
  static constinit next<int (*)(hwloc_topology_t, hwloc_obj_type_t, unsigned*, hwloc_distances_s**, unsigned long,
                                unsigned long)>
      real("hwloc_distances_get_by_type");
  return real(of, type, count, found, kind, flags);
}

int hwloc_memattr_get_initiators(hwloc_topology_t of, hwloc_memattr_id_t attribute, hwloc_obj_t node,
                                 unsigned long flags, unsigned* count, hwloc_location* from, hwloc_uint64_t* values) {
  if (fails(ask::describe)) return refused(ENOMEM);
  static constinit next<int (*)(hwloc_topology_t, hwloc_memattr_id_t, hwloc_obj_t, unsigned long, unsigned*,
                                hwloc_location*, hwloc_uint64_t*)>
      real("hwloc_memattr_get_initiators");
  return real(of, attribute, node, flags, count, from, values);
}

}  // extern "C"
