// Programs of oneTBB, compiled once with libtbb's headers and once with compat/tbb's: bench/onetbb-headers runs both in
// turn. Prints a line for each: its name, and the time of a call in us, the median of many.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

using elements = tbb::blocked_range<std::size_t>;

template <class F>
void measure(const char* name, int calls, F f) {
  std::vector<double> us;
  for (int i = 0; i <= calls; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    f();
    if (i > 0)
      us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun).count());
  }
  std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
  std::printf("%s\t%.3f\n", name, us[us.size() / 2]);
}

void check(bool holds) {
  if (!holds) std::abort();
}

long fib_by_group(int n) {
  if (n < 2) return n;
  long x = 0, y = 0;
  tbb::task_group group;
  group.run([&] { x = fib_by_group(n - 1); });
  group.run([&] { y = fib_by_group(n - 2); });
  group.wait();
  return x + y;
}

long fib_by_invoke(int n) {
  if (n < 2) return n;
  long x = 0, y = 0;
  tbb::parallel_invoke([&] { x = fib_by_invoke(n - 1); }, [&] { y = fib_by_invoke(n - 2); });
  return x + y;
}

void loop(std::vector<double>& x, std::size_t n) {
  tbb::parallel_for(elements(0, n), [&](const elements& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) x[i] = x[i] * 0.5 + 1;
  });
}

}  // namespace

/// argv[1]: how many threads.
int main(int argc, char** argv) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 2);
  std::vector<double> x(10'000'000, 1.0);
  measure("fib(25) by `task_group`, two children each", 9, [] { check(fib_by_group(25) == 75025); });
  measure("fib(25) by `parallel_invoke`", 9, [] { check(fib_by_invoke(25) == 75025); });
  measure("`parallel_for` over 4096 numbers", 2000, [&] { loop(x, 4096); });
  measure("`parallel_for` over 1e6 numbers", 200, [&] { loop(x, 1'000'000); });
  measure("1000 loops over 100 numbers each, within a loop", 200, [&] {
    tbb::parallel_for(0, 1000, [&](int row) {
      double* const of = x.data() + std::ptrdiff_t{100} * row;
      tbb::parallel_for(tbb::blocked_range<int>(0, 100, 10), [=](const tbb::blocked_range<int>& part) {
        for (int i = part.begin(); i != part.end(); ++i) of[i] = of[i] * 0.5 + 1;
      });
    });
  });
  std::fill(x.begin(), x.end(), 1.0);
  const auto sum = [&](const elements& part, double so_far) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) so_far += x[i];
    return so_far;
  };
  measure("`parallel_reduce` over 1e7 numbers", 30,
          [&] { check(tbb::parallel_reduce(elements(0, x.size()), 0.0, sum, std::plus<>()) == 1e7); });
  return 0;
}
