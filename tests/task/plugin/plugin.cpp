// A plugin with a jackdaw of its own, of which nobody else sees anything.
#include <memory>

#include "jackdaw/jackdaw.hpp"

namespace {

unsigned fib(unsigned n) {
  if (n < 2) return n;
  unsigned a = 0;
  unsigned b = 0;
  jackdaw::invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

jackdaw::runtime& own() {
  static jackdaw::runtime only({.workers = 2});
  return only;
}

struct forks_at_the_end {
  ~forks_at_the_end() { fib(5); }
};
forks_at_the_end last;

}  // namespace

/// The 20th Fibonacci number, by the plugin's default runtime and by one of its own.
extern "C" unsigned plugin_fib() {
  const unsigned expected = fib(20);
  return own().run([] { return fib(20); }) == expected ? expected : 0;
}
