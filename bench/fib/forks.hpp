#pragma once

#include <cstdint>

#include <jackdaw/jackdaw.hpp>

namespace jackdaw::bench {

/// Fibonacci numbers by double recursion without a cutoff, so that there is next to nothing but forks: one for each
/// call with an argument of at least 2, which is fib(n + 1) - 1 in all.
inline std::uint64_t fib_with_invoke(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = invoke([n] { return fib_with_invoke(n - 1); }, [n] { return fib_with_invoke(n - 2); });
  return a + b;
}

/// The same, but each task is on its thread again after its fork.
inline std::uint64_t fib_with_tied_invoke(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = tied(
      [n] { return invoke([n] { return fib_with_tied_invoke(n - 1); }, [n] { return fib_with_tied_invoke(n - 2); }); });
  return a + b;
}

template <policy Policy>
std::uint64_t fib_with_group(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  task_group group(Policy);
  group.run([&a, n] { a = fib_with_group<Policy>(n - 1); });
  const std::uint64_t b = fib_with_group<Policy>(n - 2);
  group.wait();
  return a + b;
}

}  // namespace jackdaw::bench
