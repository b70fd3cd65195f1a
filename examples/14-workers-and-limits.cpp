// An accumulator for each worker, a limit of how many tasks do something at a time, a part of the workers, and a fork
// tied to its thread.
//   c++ -std=c++20 -O3 14-workers-and-limits.cpp $(pkg-config --cflags --libs jackdaw) && ./a.out
#include <atomic>
#include <cstdio>
#include <functional>
#include <jackdaw/jackdaw.hpp>

int main() {
  jackdaw::per_worker<long> sums;
  jackdaw::for_index(1, 1001, [&](int i) { sums.local() += i; });
  std::printf("%ld\n", sums.combine(0L, std::plus<>()));

  jackdaw::semaphore two(2);  // what waits for it holds no worker
  std::atomic<int> inside{0}, most{0};
  jackdaw::for_index(0, 100, [&](int) {
    two.hold([&] {
      const int now = ++inside;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      --inside;
    });
  });
  std::printf("at most two at a time: %s\n", most <= 2 ? "yes" : "no");

  jackdaw::arena one({.workers = 1});  // the others do other things meanwhile
  const unsigned workers = one.run([] { return jackdaw::concurrency(); });
  std::printf("workers in the arena: %u\n", workers);

  // After a fork a task may go on on another thread. After tied() it is back, with what belongs to the thread.
  static thread_local int calls = 0;
  int* const mine = &calls;
  jackdaw::tied([] { jackdaw::invoke([] {}, [] {}); });
  std::printf("the same thread: %s\n", mine == &calls ? "yes" : "no");
}
