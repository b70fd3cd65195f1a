// In the child of a fork() there are no other threads, and locks may be held by threads that are not there.
#include <pthread.h>

#include "tbb/arena.hpp"
#include "tbb/contexts.hpp"
#include "tbb/controls.hpp"
#include "tbb/observers.hpp"
#include "tbb/waits.hpp"

namespace jackdaw::onetbb {
namespace {

[[gnu::constructor]] void look_after_forks() {
  pthread_atfork(nullptr, nullptr, [] {
    forget_arenas();
    forget_contexts();
    forget_controls();
    forget_observers();
    forget_waits();
  });
}

}  // namespace
}  // namespace jackdaw::onetbb
