// What OpenMP's constructs cost by themselves, in microseconds, for bench/openmp-costs: a line for each construct. It
// is compiled by g++ -fopenmp, and runs with libgomp or with libjackdaw_gomp.so.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// The median of several times that `body(n)` takes, divided by n.
template <class F>
void measure(const char* name, int n, const F& body) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const double begin = omp_get_wtime();
    body(n);
    times.push_back((omp_get_wtime() - begin) / n * 1e6);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s\t%.4f\n", name, times[times.size() / 2]);
}

void nothing() { asm volatile("" ::: "memory"); }

int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

}  // namespace

int main() {
  volatile long count = 0;
#pragma omp parallel
  nothing();
  measure("an empty region", 1000, [](int n) {
    for (int i = 0; i < n; ++i) {
#pragma omp parallel
      nothing();
    }
  });
  measure("a barrier", 2000, [](int n) {
#pragma omp parallel
    for (int i = 0; i < n; ++i) {
#pragma omp barrier
    }
  });
  measure("a region with a dynamic loop of 100 iterations", 300, [](int n) {
    for (int i = 0; i < n; ++i) {
#pragma omp parallel for schedule(dynamic)
      for (int j = 0; j < 100; ++j) nothing();
    }
  });
  measure("single nowait", 2000, [](int n) {
#pragma omp parallel
    for (int i = 0; i < n; ++i) {
#pragma omp single nowait
      nothing();
    }
  });
  measure("critical, taken by all members", 2000, [&count](int n) {
#pragma omp parallel
    for (int i = 0; i < n; ++i) {
#pragma omp critical
      count = count + 1;
    }
  });
  measure("a task, made by one member", 5000, [](int n) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task
      nothing();
    }
  });
  constexpr int tasks = 8360;  // that fib(18) makes
  measure("a task of fib(18), without a cut-off", tasks, [](int) {
    int found = 0;
#pragma omp parallel
#pragma omp single
    found = fib(18);
    if (found != 2584) std::abort();
  });
}
