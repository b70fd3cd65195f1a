#include <jackdaw/runtime.hpp>

#include <cstdlib>
#include <cstring>

#include "cilk/cilk_api.h"

int __cilkrts_get_nworkers() { return static_cast<int>(jackdaw::concurrency()); }
int __cilkrts_get_total_workers() { return __cilkrts_get_nworkers(); }
unsigned __cilkrts_get_worker_number() { return jackdaw::this_worker().value_or(0); }
int __cilkrts_is_initialized() { return 1; }
int __cilkrts_running_on_workers() { return jackdaw::this_worker() ? 1 : 0; }
int __cilkrts_set_param(const char* name, const char* value) {
  // The runtime has started with main(): the number is what it was.
  char* end = nullptr;
  const long asked = std::strtol(value, &end, 10);
  if (std::strcmp(name, "nworkers") != 0 || *end != 0 || end == value) return 1;
  return asked == __cilkrts_get_nworkers() ? 0 : 1;
}
void __cilkrts_init() {}
void __cilkrts_end_cilk() {}
