#include <jackdaw/runtime.hpp>

#include <atomic>
#include <chrono>
#include <thread>

#include "cilk.h"

int jackdaw_cilk5_workers() { return static_cast<int>(jackdaw::concurrency()); }
int jackdaw_cilk5_worker() { return static_cast<int>(jackdaw::this_worker().value_or(0)); }

Cilk_time Cilk_get_wall_time() {
  return static_cast<Cilk_time>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}
double Cilk_wall_time_to_sec(Cilk_time t) { return static_cast<double>(t) * 1e-9; }
double Cilk_time_to_sec(Cilk_time t) { return Cilk_wall_time_to_sec(t); }

// From 0 to 2^30 - 1, the same numbers in every run. Concurrent calls get numbers in some order.
static std::atomic<unsigned> random_state{1};
int Cilk_rand() {
  unsigned now = random_state.load(std::memory_order_relaxed), next = 0;
  do {
    next = now * 1103515245u + 12345u;
  } while (!random_state.compare_exchange_weak(now, next, std::memory_order_relaxed));
  return static_cast<int>(next >> 2);
}
void Cilk_srand(unsigned int seed) { random_state.store(seed, std::memory_order_relaxed); }

void Cilk_lock_init_one(Cilk_lockvar* lock) { lock->held = 0; }
void Cilk_lock_one(Cilk_lockvar* lock) {
  while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0) std::this_thread::yield();
}
void Cilk_unlock_one(Cilk_lockvar* lock) { __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE); }
