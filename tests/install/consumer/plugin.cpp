// A plugin that uses jackdaw, and leaves its threads to the library.
#include <jackdaw/jackdaw.hpp>

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) long plugin_main() {
  jackdaw::runtime own({.workers = 2});
  long by_default = 0;
  jackdaw::task_group group;
  group.run([&] { by_default = fib(20); });
  group.wait();
  return own.run([] { return fib(20); }) == by_default ? by_default : -1;
}
