#pragma once

#include "jackdaw/invoke.hpp"
#include "jackdaw/task_group.hpp"

namespace jackdaw::test {

/// The nth Fibonacci number by one fork at each call: 20 take 10945 forks.
inline unsigned fib(unsigned n) {
  if (n < 2) return n;
  unsigned a = 0;
  unsigned b = 0;
  invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

/// The same by groups: each child has a stack of its own while its parent goes on.
inline unsigned fib_in_groups(unsigned n) {
  if (n < 2) return n;
  unsigned a = 0;
  task_group group;
  group.run([&] { a = fib_in_groups(n - 1); });
  const unsigned b = fib_in_groups(n - 2);
  group.wait();
  return a + b;
}

}  // namespace jackdaw::test
