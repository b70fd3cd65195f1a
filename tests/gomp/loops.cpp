// Loops: every schedule, both directions, all widths; ordered ones; sinks and sources; scans.
#include <omp.h>

#include <atomic>
#include <climits>
#include <memory>
#include <vector>

#include "expect.hpp"

namespace {

/// Every iteration once, and lastprivate from the last.
template <class T>
void check(const char* name, T first, T end, T step) {
  std::size_t wanted = 0;
  for (T i = first; step > T(0) ? i < end : i > end; i += step) {
    ++wanted;
    if (step > T(0) ? T(end - i) <= step : T(i - end) <= T(-step)) break;
  }
  const auto index = [&](T i) {
    return static_cast<std::size_t>(step > T(0) ? T(i - first) / step : T(first - i) / T(-step));
  };
  std::unique_ptr<std::atomic<int>[]> met(new std::atomic<int>[wanted + 1]());
  T last = first;
  const auto expect_all = [&] {
    for (std::size_t k = 0; k < wanted; ++k) EXPECT(met[k].exchange(0) == 1);
  };
#define EACH(schedule_clause)                                                                \
  if (step > T(0)) {                                                                         \
    _Pragma("omp parallel") _Pragma(schedule_clause) for (T i = first; i < end; i += step) { \
      ++met[index(i)];                                                                       \
      last = i;                                                                              \
    }                                                                                        \
  } else {                                                                                   \
    _Pragma("omp parallel") _Pragma(schedule_clause) for (T i = first; i > end; i += step) { \
      ++met[index(i)];                                                                       \
      last = i;                                                                              \
    }                                                                                        \
  }                                                                                          \
  expect_all();                                                                              \
  if (wanted > 0) EXPECT(index(last) == wanted - 1);
  EACH("omp for lastprivate(last) schedule(static)")
  EACH("omp for lastprivate(last) schedule(static, 3)")
  EACH("omp for lastprivate(last) schedule(dynamic)")
  EACH("omp for lastprivate(last) schedule(dynamic, 4)")
  EACH("omp for lastprivate(last) schedule(monotonic: dynamic, 2)")
  EACH("omp for lastprivate(last) schedule(guided)")
  EACH("omp for lastprivate(last) schedule(guided, 3)")
  EACH("omp for lastprivate(last) schedule(auto)")
  EACH("omp for lastprivate(last) schedule(monotonic: guided, 2)")
  for (const omp_sched_t kind : {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto}) {
    for (const int chunk : {0, 1, 5}) {
      omp_set_schedule(kind, chunk);
      EACH("omp for lastprivate(last) schedule(runtime)")
      EACH("omp for lastprivate(last) schedule(nonmonotonic: runtime)")
    }
  }
#undef EACH
  std::printf("%s: %zu iterations\n", name, wanted);
}

/// Without lastprivate: what g++ makes of that has a member without iterations read an uninitialised variable.
void without_iterations(int n) {
  std::atomic<int> met{0};
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 5; i < n; ++i) ++met;
#pragma omp for schedule(dynamic)
    for (int i = 5; i < n; ++i) ++met;
#pragma omp for schedule(guided, 2)
    for (long i = n; i > 5; --i) ++met;
#pragma omp for schedule(runtime) ordered
    for (unsigned long long i = 7; i < 7; ++i) ++met;
  }
  std::printf("none: %d\n", met.load());
}

void combined() {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel for schedule(static, 7) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 40; ++j) sum += i * j;
  std::printf("combined %ld\n", sum);
}

void without_waiting() {
  // Members may be many loops ahead of others.
  std::vector<std::atomic<int>> met(40 * 10);
  std::atomic<bool> goes_on{false};
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1 && omp_get_num_threads() > 1) {
      while (!goes_on) sched_yield();
    }
    for (int round = 0; round < 40; ++round) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 10; ++i) ++met[round * 10 + i];
    }
    if (omp_get_thread_num() == 0) goes_on = true;
  }
  for (auto& each : met) EXPECT(each == 1);
  std::printf("nowait\n");
}

void ordered() {
  std::vector<int> order;
  const auto expect_order = [&order](int n) {
    EXPECT(static_cast<int>(order.size()) == n);
    for (int i = 0; i < n; ++i) EXPECT(order[i] == i);
    order.clear();
  };
#define EACH(pragma)                                                                           \
  _Pragma(pragma) for (int i = 0; i < 100; ++i) { _Pragma("omp ordered") order.push_back(i); } \
  expect_order(100);
  EACH("omp parallel for ordered schedule(static)")
  EACH("omp parallel for ordered schedule(static, 3)")
  EACH("omp parallel for ordered schedule(dynamic)")
  EACH("omp parallel for ordered schedule(dynamic, 7)")
  EACH("omp parallel for ordered schedule(guided)")
  EACH("omp parallel for ordered schedule(runtime)")
#undef EACH
  // Not every iteration has an ordered part.
#pragma omp parallel for ordered schedule(dynamic)
  for (unsigned long long i = 0; i < 60; ++i) {
    if (i % 3 == 0) {
#pragma omp ordered
      order.push_back(static_cast<int>(i / 3));
    }
  }
  expect_order(20);
  std::printf("ordered\n");
}

void sinks_and_sources() {
  constexpr int n = 40, m = 25;
  std::vector<std::vector<long>> a(n, std::vector<long>(m, 1));
  const auto sum = [&a] {
    long all = 0;
    for (auto& row : a)
      for (long& each : row) all += each, each = 1;
    return all % 1000007;
  };
#define EACH(pragma)                                                               \
  _Pragma(pragma) for (int i = 1; i < n; ++i) for (int j = 1; j < m; ++j) {        \
    _Pragma("omp ordered depend(sink: i - 1, j) depend(sink: i, j - 1)") a[i][j] = \
        (a[i - 1][j] + a[i][j - 1]) % 1000003;                                     \
    _Pragma("omp ordered depend(source)")                                          \
  }                                                                                \
  std::printf("doacross %ld\n", sum());
  EACH("omp parallel for ordered(2) schedule(static)")
  EACH("omp parallel for ordered(2) schedule(static, 2)")
  EACH("omp parallel for ordered(2) schedule(dynamic)")
  EACH("omp parallel for ordered(2) schedule(dynamic, 3)")
  EACH("omp parallel for ordered(2) schedule(guided)")
  EACH("omp parallel for ordered(2) schedule(runtime)")
#undef EACH
  unsigned long long last = 0;
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (unsigned long long i = 1; i < 50; ++i) {
#pragma omp ordered depend(sink : i - 1)
    last = last * 3 % 1009 + i;
#pragma omp ordered depend(source)
  }
  std::printf("doacross %llu\n", last);
}

void scans() {
  int sum = 0;
  std::vector<int> before(50), after(50);
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < 50; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    after[i] = sum;
  }
  for (int i = 0; i < 50; ++i) EXPECT(after[i] == i * (i + 1) / 2);
  int last = -1;
#pragma omp parallel for lastprivate(conditional : last) schedule(dynamic)
  for (int i = 0; i < 50; ++i) {
    if (i % 7 == 0) last = i;
  }
  std::printf("scan %d, conditional %d\n", sum, last);
}

}  // namespace

int main() {
  check<int>("int up", 0, 101, 1);
  check<int>("int up by 3", -7, 92, 3);
  check<int>("int down", 100, -3, -7);
  without_iterations(5);
  check<long>("long near its end", LONG_MAX - 50, LONG_MAX - 3, 4);
  check<unsigned>("unsigned", 3u, 77u, 5u);
  check<unsigned long long>("unsigned long long up", ULLONG_MAX - 100, ULLONG_MAX - 1, 9);
  check<unsigned long long>("unsigned long long from 0", 0, 64, 1);
  unsigned long long down = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : down)
  for (unsigned long long i = 100; i > 3; i -= 3) down += i;
#pragma omp parallel for schedule(guided) reduction(+ : down)
  for (unsigned long long i = 100; i > 3; i -= 3) down += i;
  std::printf("down %llu\n", down);
  omp_set_schedule(omp_sched_dynamic, 2);
  combined();
  without_waiting();
  ordered();
  sinks_and_sources();
  scans();
}
