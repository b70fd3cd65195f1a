// The compiler's calls for `critical` and for atomic updates that the processor does not have.
#include <atomic>

#include "gomp/futex.hpp"

namespace jackdaw::gomp {
namespace {

constinit lock unnamed;
constinit lock updates;

/// A named one's lock is in a pointer of the program's, which is null at the beginning.
word& word_in(void** name) noexcept {
  static_assert(sizeof(word) <= sizeof(void*));
  return *reinterpret_cast<word*>(name);
}

}  // namespace
}  // namespace jackdaw::gomp

using namespace jackdaw::gomp;

extern "C" {

void GOMP_critical_start() { unnamed.acquire(); }
void GOMP_critical_end() { unnamed.release(); }
void GOMP_critical_name_start(void** name) { word_lock(word_in(name)).lock(); }
void GOMP_critical_name_end(void** name) { word_lock(word_in(name)).unlock(); }
void GOMP_atomic_start() { updates.acquire(); }
void GOMP_atomic_end() { updates.release(); }
}
