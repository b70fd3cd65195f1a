// Loops as PBBS, Ligra, Cilk Plus and OpenCilk write them.
#include <cilk/cilk.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <string>
#include <vector>

#include "check.h"

#define parallel_for cilk_for
#define parallel_for_1 _Pragma("cilk grainsize = 1") cilk_for
#define parallel_for_256 _Pragma("cilk grainsize = 256") cilk_for
#define granular_for(i, start, end, body) { cilk_for (long i = (start); i < (end); i++) { body } }
typedef uint32_t uintE;
typedef unsigned char byte;

struct newA { };
template <class ET> inline bool CAS(ET* at, ET old, ET fresh) { return __sync_bool_compare_and_swap(at, old, fresh); }

template <class F> struct apply_to {
  F f;
  void operator()(long n) {
    parallel_for (long i = 0; i < n; i++) f(i);
  }
};

template <class ET, class intT, class F>
ET reduce(intT s, intT e, F f) {
  intT l = (e - s) / 16 + 1;
  ET sums[16] = {};
  parallel_for_1 (intT b = 0; b < 16; b++) {
    intT from = s + b * l, to = from + l < e ? from + l : e;
    ET r = 0;
    for (intT j = from; j < to; j++) r += f(j);
    sums[b] = r;
  }
  ET all = 0;
  for (ET each : sums) all += each;
  return all;
}

int main() {
  const long n = 1000;
  std::vector<int> v(n, 0);
  parallel_for (long i = 0; i < n; i++) v[i] = i;
  {parallel_for (long i = 0; i < n; i++) v[i] += 1;}
  parallel_for_256 (uintE i = 0; i < (uintE)n; i++) { v[i] += 1; }
  granular_for(i, 0, n, v[i] -= 1;)
  bool ok = true;
  for (long i = 0; i < n; i++) ok = ok && v[i] == i + 1;
  CHECK(ok);
  CHECK((reduce<long>(0L, n, [&](long i) { return (long)v[i]; }) == n * (n + 1) / 2));
  apply_to<void (*)(long)>{[](long) {}}(10);
  uintE parent[100];
  parallel_for (int i = 0; i < 100; i++) parent[i] = UINT32_MAX;
  parallel_for (int i = 0; i < 1000; ++i) CAS(&parent[i % 100], (uintE)UINT32_MAX, (uintE)(i % 100));
  for (uintE i = 0; i < 100; i++) ok = ok && parent[i] == i;
  CHECK(ok);

#pragma cilk grainsize = 8
  cilk_for (int i = 0; i < 1000; ++i) v[i] = -i;
  const int G = 4;
#pragma cilk grainsize G
  cilk_for (int i = 0; i < 1000; ++i) {
    v[i] -= 1;
  }
#pragma cilk grainsize(16)
  _Cilk_for (int i = 0; i < 1000; ++i) v[i] -= 1;
#pragma grainsize = 16
  cilk_for (int i = 0; i < 1000; ++i) v[i] -= 1;
  for (int i = 0; i < 1000; i++) ok = ok && v[i] == -i - 3;
  CHECK(ok);

  std::atomic<long> sum{0};
  cilk_for (unsigned i = 10; i > 0; --i) sum += i;
  CHECK(sum == 55);
  sum = 0;
  sum = 0;
  cilk_for (int i = -5; i <= 5; i += 5) sum += i + 10;
  CHECK(sum == 30);
  sum = 0;
  int step = 3;
  cilk_for (int i = 0; i < 10; i += step) sum += i;
  cilk_for (long long i = 20; i >= 10; i -= step) sum += i;
  cilk_for (unsigned short i = 1; i != 11; i += 2) sum += i;
  cilk_for (int i = 10; i != 0; i -= 2) sum += i;
  cilk_for (int i = 0; i < 10; i = i + step) sum += i;
  cilk_for (int i = 0; i < 10; i = step + i) sum += i;
  cilk_for (int i = 10; 0 < i; i--) sum += i;
  cilk_for (char c = 'a'; c <= 'e'; c++) sum += c - 'a';
  cilk_for (int64_t i = INT64_MAX - 2; i < INT64_MAX; i++) sum += 1;
  cilk_for (uint8_t i = 250; i < 255; i++) sum += 1;
  CHECK(sum == 18 + (20 + 17 + 14 + 11) + 25 + 30 + 18 + 18 + 55 + 10 + 2 + 5);
  sum = 0;
  cilk_for (auto it = v.begin(); it != v.end(); ++it) sum += *it;
  cilk_for (std::vector<int>::iterator it = v.begin(); it < v.end(); it += 2) sum += 1;
  cilk_for (std::vector<int>::const_iterator it = v.cbegin(), end = v.cend(); it != end; ++it) sum += 1;
  cilk_for (auto it = v.rbegin(); it != v.rend(); it++) sum += 1;
  std::deque<int> d(10, 1);
  cilk_for (std::deque<int>::iterator it = d.begin(); it < d.end(); ++it) sum += *it;
  int raw[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  cilk_for (int *p = raw, *end = raw + 10; p != end; ++p) sum += *p;
  cilk_for (const int *p = raw + 9; p >= raw; --p) sum += *p;
  CHECK(sum == -(999 * 500) - 3000 + 500 + 1000 + 1000 + 30);
  int i;
  i = 5;
  cilk_for (int i = 0; i < 3; ++i) sum += i;
  CHECK(i == 5);
  sum = 0;
  cilk_for (int i = 0; i < 10; ++i) {
    if (i % 2) continue;
    for (int j = 0; j < 10; ++j) {
      if (j == 5) break;
      if (j == 2) continue;
      sum += 1;
    }
    switch (i) { case 0: break; default: sum += 100; }
    auto f = [&] { for (;;) { break; } return 1; };
    sum += f();
  }
  CHECK(sum == 20 + 400 + 5);
  sum = 0;
  cilk_for (auto& each : d) sum += each;
  cilk_for (int each : raw) sum += each;
  cilk_for (const auto& each : v) { sum += each * 0 + 1; }
  CHECK(sum == 10 + 10 + 1000);
  sum = 0;
  cilk_for (int a = 0; a < 4; ++a)
    cilk_for (int b = 0; b < 4; ++b) {
      cilk_for (int c = 0; c < a; ++c)
        sum += 1;
    }
  CHECK(sum == 24);
  if (n > 5)
    cilk_for (int a = 0; a < 4; ++a) sum += 1;
  else
    cilk_for (int a = 0; a < 4; ++a) sum += 2;
  CHECK(sum == 28);
  for (int r = 0; r < 3; ++r)
    cilk_for (int a = 0; a < 4; ++a) sum += r;
  CHECK(sum == 40);
  printf("%d failures\n", failures);
  return failures != 0;
}
