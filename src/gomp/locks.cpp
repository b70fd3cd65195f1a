// omp_lock_t and omp_nest_lock_t. Their sizes are part of libgomp's ABI: 4 bytes, and 16 bytes with 8-byte addresses.
#include <atomic>

#include "gomp/team.hpp"

namespace jackdaw::gomp {
namespace {

/// A task owns it, not a thread: one that waits inside may be on a thread that runs others meanwhile.
struct nested {
  word taken;
  int depth;
  const task* owner;  // written by the owner; others only compare it with themselves
};
static_assert(sizeof(void*) != 8 || sizeof(nested) == 16);

word_lock simple(void* lock) noexcept { return word_lock(*static_cast<word*>(lock)); }

const task* owner_of(nested& of) noexcept { return std::atomic_ref(of.owner).load(std::memory_order_relaxed); }
void set_owner(nested& of, const task* now) noexcept {
  std::atomic_ref(of.owner).store(now, std::memory_order_relaxed);
}

int enter(nested& at, bool waits) noexcept {
  const task* const self = here().now;
  if (owner_of(at) != self) {
    word_lock lock(at.taken);
    if (waits) {
      lock.lock();
    } else if (!lock.try_lock()) {
      return 0;
    }
    set_owner(at, self);
    at.depth = 0;
  }
  return ++at.depth;
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void omp_init_lock(void* lock) { new (lock) word(0); }
void omp_destroy_lock(void*) {}
void omp_set_lock(void* lock) { simple(lock).lock(); }
void omp_unset_lock(void* lock) { simple(lock).unlock(); }
int omp_test_lock(void* lock) { return simple(lock).try_lock() ? 1 : 0; }

void omp_init_nest_lock(void* lock) { new (lock) nested{}; }
void omp_destroy_nest_lock(void*) {}
void omp_set_nest_lock(void* lock) { enter(*static_cast<nested*>(lock), true); }
int omp_test_nest_lock(void* lock) { return enter(*static_cast<nested*>(lock), false); }
void omp_unset_nest_lock(void* lock) {
  nested& at = *static_cast<nested*>(lock);
  if (--at.depth == 0) {
    set_owner(at, nullptr);
    word_lock(at.taken).unlock();
  }
}

// Fortran has the lock itself where it fits into an integer of a pointer's size, otherwise a pointer to one.
void omp_init_lock_(void* lock) { omp_init_lock(lock); }
void omp_destroy_lock_(void*) {}
void omp_set_lock_(void* lock) { omp_set_lock(lock); }
void omp_unset_lock_(void* lock) { omp_unset_lock(lock); }
int omp_test_lock_(void* lock) { return omp_test_lock(lock); }

void omp_init_nest_lock_(nested** lock) { *lock = new nested{}; }
void omp_destroy_nest_lock_(nested** lock) {
  delete *lock;
  *lock = nullptr;
}
void omp_set_nest_lock_(nested** lock) { omp_set_nest_lock(*lock); }
void omp_unset_nest_lock_(nested** lock) { omp_unset_nest_lock(*lock); }
int omp_test_nest_lock_(nested** lock) { return omp_test_nest_lock(*lock); }
}
