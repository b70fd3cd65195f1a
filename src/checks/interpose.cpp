// Replacements for functions of the C and C++ libraries that take something or give it back. They are called instead of
// the originals if this library comes first: preloaded, or linked before those libraries.
#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "checks/held.hpp"
#include "checks/report.hpp"

namespace jackdaw::checks {
namespace {

/// The next function of that name, which is the original.
template <class Result, class... Arguments>
class next {
 public:
  explicit constexpr next(const char* name) noexcept : name_(name) {}

  /// Not in a constructor, because other libraries' constructors may take a lock before this library's have run.
  Result operator()(Arguments... arguments) {
    using function = Result (*)(Arguments...);
    void* found = found_.load(std::memory_order_relaxed);
    if (found == nullptr) {
      found = dlsym(RTLD_NEXT, name_);
      found_.store(found, std::memory_order_relaxed);
    }
    return reinterpret_cast<function>(found)(arguments...);
  }

 private:
  const char* name_;
  std::atomic<void*> found_{nullptr};
};

/// Records the callers of a lock before it is taken, because on some systems walking over callers takes the loader's
/// lock.
class taking {
 public:
  taking(kind what, const void* address, const void* site, const void* frame) noexcept {
    thread_state& self = this_thread();
    if (!self.in_task || self.busy) {
      return;
    }
    self.busy = true;
    held_.what = what;
    held_.address = address;
    held_.frame = frame;
    held_.thread = self.id;
    find_callers(held_.from, site, self.base);
    self.busy = false;
  }
  void taken() const noexcept {
    if (held_.address != nullptr) {
      keep(held_);
    }
  }

 private:
  holding held_;
};

/// Also called on the way out of functions that may have changed threads.
void give_back(const void* address) noexcept {
  thread_state& self = this_thread();
  if (self.busy) {
    return;
  }
  if (holding moved; drop(address, self, moved)) {
    self.busy = true;
    report_moved(moved, nullptr);
    self.busy = false;
  }
}

// Both are inlined, so that the caller and the frame are those of the replacement function.

template <class Lock, class... More>
[[gnu::always_inline]] inline int lock_with(kind what, next<int, Lock*, More...>& real, Lock* lock, More... more) {
  const taking now(what, const_cast<const void*>(static_cast<volatile const void*>(lock)), __builtin_return_address(0),
                   __builtin_frame_address(0));
  const int result = real(lock, more...);
  if (result == 0 || result == EOWNERDEAD) {
    now.taken();
  }
  return result;
}

template <class Lock>
[[gnu::always_inline]] inline int unlock_with(next<int, Lock*>& real, Lock* lock) {
  // Before the lock is free, when another thread may take it.
  give_back(const_cast<const void*>(static_cast<volatile const void*>(lock)));
  return real(lock);
}

}  // namespace
}  // namespace jackdaw::checks

using jackdaw::checks::kind;
using jackdaw::checks::lock_with;
using jackdaw::checks::next;
using jackdaw::checks::unlock_with;

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static constinit next<int, pthread_mutex_t*> real("pthread_mutex_lock");
  return lock_with(kind::mutex, real, mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  static constinit next<int, pthread_mutex_t*> real("pthread_mutex_trylock");
  return lock_with(kind::mutex, real, mutex);
}
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* abstime) noexcept {
  static constinit next<int, pthread_mutex_t*, const timespec*> real("pthread_mutex_timedlock");
  return lock_with(kind::mutex, real, mutex, abstime);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clockid, const timespec* abstime) noexcept {
  static constinit next<int, pthread_mutex_t*, clockid_t, const timespec*> real("pthread_mutex_clocklock");
  return lock_with(kind::mutex, real, mutex, clockid, abstime);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  static constinit next<int, pthread_mutex_t*> real("pthread_mutex_unlock");
  return unlock_with(real, mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* rwlock) noexcept {
  static constinit next<int, pthread_rwlock_t*> real("pthread_rwlock_rdlock");
  return lock_with(kind::read_lock, real, rwlock);
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t* rwlock) noexcept {
  static constinit next<int, pthread_rwlock_t*> real("pthread_rwlock_tryrdlock");
  return lock_with(kind::read_lock, real, rwlock);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t* rwlock, const timespec* abstime) noexcept {
  static constinit next<int, pthread_rwlock_t*, const timespec*> real("pthread_rwlock_timedrdlock");
  return lock_with(kind::read_lock, real, rwlock, abstime);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* rwlock, clockid_t clockid, const timespec* abstime) noexcept {
  static constinit next<int, pthread_rwlock_t*, clockid_t, const timespec*> real("pthread_rwlock_clockrdlock");
  return lock_with(kind::read_lock, real, rwlock, clockid, abstime);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* rwlock) noexcept {
  static constinit next<int, pthread_rwlock_t*> real("pthread_rwlock_wrlock");
  return lock_with(kind::write_lock, real, rwlock);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* rwlock) noexcept {
  static constinit next<int, pthread_rwlock_t*> real("pthread_rwlock_trywrlock");
  return lock_with(kind::write_lock, real, rwlock);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* rwlock, const timespec* abstime) noexcept {
  static constinit next<int, pthread_rwlock_t*, const timespec*> real("pthread_rwlock_timedwrlock");
  return lock_with(kind::write_lock, real, rwlock, abstime);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* rwlock, clockid_t clockid, const timespec* abstime) noexcept {
  static constinit next<int, pthread_rwlock_t*, clockid_t, const timespec*> real("pthread_rwlock_clockwrlock");
  return lock_with(kind::write_lock, real, rwlock, clockid, abstime);
}
int pthread_rwlock_unlock(pthread_rwlock_t* rwlock) noexcept {
  static constinit next<int, pthread_rwlock_t*> real("pthread_rwlock_unlock");
  return unlock_with(real, rwlock);
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  static constinit next<int, pthread_spinlock_t*> real("pthread_spin_lock");
  return lock_with(kind::spin_lock, real, lock);
}
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  static constinit next<int, pthread_spinlock_t*> real("pthread_spin_trylock");
  return lock_with(kind::spin_lock, real, lock);
}
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  static constinit next<int, pthread_spinlock_t*> real("pthread_spin_unlock");
  return unlock_with(real, lock);
}

/// The one thread that calls the function does so from here; the others wait inside and suspend nothing.
int pthread_once(pthread_once_t* once_control, void (*init_routine)()) {
  static constinit next<int, pthread_once_t*, void (*)()> real("pthread_once");
  struct lasting {
    pthread_once_t* flag;
    ~lasting() { jackdaw::checks::give_back(flag); }  // also if the function throws
  };
  const jackdaw::checks::taking now(kind::once, once_control, __builtin_return_address(0), __builtin_frame_address(0));
  const lasting until_it_returns{once_control};
  now.taken();
  return real(once_control, init_routine);
}

}  // extern "C"

namespace __cxxabiv1 {
extern "C" {

int __cxa_guard_acquire(__guard* guard) {
  static constinit next<int, __guard*> real("__cxa_guard_acquire");
  const jackdaw::checks::taking now(kind::initialiser, guard, __builtin_return_address(0), __builtin_frame_address(0));
  const int result = real(guard);
  if (result != 0) {
    now.taken();
  }
  return result;
}
void __cxa_guard_release(__guard* guard) noexcept {
  static constinit next<void, __guard*> real("__cxa_guard_release");
  jackdaw::checks::give_back(guard);
  real(guard);
}
void __cxa_guard_abort(__guard* guard) noexcept {
  static constinit next<void, __guard*> real("__cxa_guard_abort");
  jackdaw::checks::give_back(guard);
  real(guard);
}

}  // extern "C"
}  // namespace __cxxabiv1
