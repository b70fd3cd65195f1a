// A plugin with a jackdaw of its own, whose symbols no other module sees.
#include <memory>

#include "jackdaw/jackdaw.hpp"
#include "support/fib.hpp"

namespace {

using jackdaw::test::fib;

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
