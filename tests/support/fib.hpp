#pragma once

#include "jackdaw/invoke.hpp"

namespace jackdaw::test {

/// The nth Fibonacci number by one fork at each call: 20 take 10945 forks.
inline unsigned fib(unsigned n) {
  if (n < 2) return n;
  unsigned a = 0;
  unsigned b = 0;
  invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

}  // namespace jackdaw::test
