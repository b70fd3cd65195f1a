// What is done when the library is loaded, and when the process forks.
#include <pthread.h>

#include "gomp/pool.hpp"
#include "gomp/settings.hpp"

namespace jackdaw::gomp {
namespace {

[[gnu::constructor]] void start() {
  pthread_atfork(nullptr, nullptr, &pool::forget_all);
  settings::show_if_asked();
}

}  // namespace
}  // namespace jackdaw::gomp
