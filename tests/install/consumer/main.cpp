#include <cstdio>
#include <jackdaw/jackdaw.hpp>

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

}  // namespace

int main() {
  jackdaw::runtime runtime({.workers = 2});
  std::printf("fib(20) = %ld\n", runtime.run([] { return fib(20); }));
}
