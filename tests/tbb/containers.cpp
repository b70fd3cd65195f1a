// Containers, mutexes and thread-local storage under parallel use.
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <tbb/combinable.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_map.h>
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_set.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_vector.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_group.h>

#include <functional>
#include <thread>

#include "tbb/chapter.hpp"

namespace {

using chapter::say;

void storage() {
  tbb::enumerable_thread_specific<long long> sums(0);
  tbb::enumerable_thread_specific<long long, tbb::cache_aligned_allocator<long long>, tbb::ets_key_per_instance> keyed(
      0);
  tbb::combinable<long long> counts([] { return 0ll; });
  tbb::parallel_for(0, 2000, [&](int i) {
    long long& mine = sums.local();
    const long long before = mine;
    long long* const key = &keyed.local();
    counts.local() += 1;
    tbb::parallel_for(0, 10, [](int) {});
    // A wait returns on its thread. What else ran there may have added meanwhile.
    CHECK(&mine == &sums.local() && mine >= before && key == &keyed.local());
    mine += i;
    *key += i;
  });
  long long sum = 0;
  for (const long long each : keyed) sum += each;
  CHECK(sum == sums.combine(std::plus<>()));
  say("thread-specific", sum + counts.combine(std::plus<>()));
}

void maps() {
  tbb::concurrent_hash_map<int, int> hashed;
  tbb::concurrent_unordered_map<int, int> unordered;
  tbb::concurrent_map<int, int> ordered;
  tbb::concurrent_set<int> set;
  tbb::concurrent_vector<int> vector;
  tbb::parallel_for(0, 20000, [&](int i) {
    tbb::concurrent_hash_map<int, int>::accessor at;
    hashed.insert(at, i % 500);
    at->second += 1;
    at.release();
    unordered.emplace(i % 700, i);
    ordered.emplace(i % 300, i);
    set.insert(i % 200);
    vector.push_back(i);
  });
  int counted = 0;
  for (const auto& each : hashed) counted += each.second;
  say("maps", counted + static_cast<long long>(unordered.size() + ordered.size() + set.size() + vector.size()));
}

void queues() {
  tbb::concurrent_queue<int> queue;
  tbb::concurrent_priority_queue<int> urgent;
  tbb::parallel_for(0, 5000, [&](int i) {
    queue.push(i);
    urgent.push(i);
  });
  std::atomic<long long> sum{0};
  tbb::parallel_for(0, 5000, [&](int) {
    int got = 0;
    CHECK(queue.try_pop(got));
    sum += got;
    CHECK(urgent.try_pop(got));
    sum += got;
  });
  say("queues", sum);
  // A bounded queue between a thread and tasks: its waits are the library's own.
  tbb::concurrent_bounded_queue<int> bounded;
  bounded.set_capacity(4);
  std::thread producer([&] {
    for (int i = 0; i < 1000; ++i) bounded.push(i);
  });
  long long got = 0;
  tbb::task_group group;
  group.run([&] {
    for (int i = 0; i < 1000; ++i) {
      int one = 0;
      bounded.pop(one);
      got += one;
    }
  });
  group.wait();
  producer.join();
  say("bounded queue", got);
}

template <class Mutex>
long long count_under() {
  Mutex mutex;
  long long count = 0;
  tbb::parallel_for(0, 20000, [&](int) {
    const typename Mutex::scoped_lock hold(mutex);
    ++count;
  });
  return count;
}

}  // namespace

int main() {
  storage();
  maps();
  queues();
  say("mutexes", count_under<tbb::mutex>() + count_under<tbb::spin_mutex>() + count_under<tbb::queuing_mutex>() +
                     count_under<tbb::rw_mutex>());
  if (chapter::sees_libtbb) say("a mutex of the library", count_under<tbb::queuing_rw_mutex>());
  chapter::tell_who_ran();
}
