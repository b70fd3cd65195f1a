// fib N [WORKERS [invoke|group|help_first]]: Fibonacci numbers by double recursion, without a cutoff.
#include <cstdint>
#include <string_view>

#include "bench/fib/forks.hpp"
#include "bench/table/table_program.hpp"

namespace jackdaw::bench {
namespace {

std::uint64_t number(unsigned n) {
  std::uint64_t a = 0, b = 1;
  for (; n != 0; --n) a = std::exchange(b, a + b);
  return a;
}

}  // namespace
}  // namespace jackdaw::bench

int main(int argc, char** argv) {
  using namespace jackdaw::bench;
  if (argc < 2) {
    std::fprintf(stderr, "usage: fib N [WORKERS [invoke|group|help_first]]\n");
    return 2;
  }
  const unsigned n = argument(argv[1], "fib");
  const std::string_view how = argc > 3 ? argv[3] : "invoke";
  auto* const fib = how == "group"        ? fib_with_group<jackdaw::policy::work_first>
                    : how == "help_first" ? fib_with_group<jackdaw::policy::help_first>
                    : how == "invoke"     ? fib_with_invoke
                                          : nullptr;
  if (fib == nullptr) {
    std::fprintf(stderr, "fib: expected invoke, group or help_first, got '%s'\n", argv[3]);
    return 2;
  }
  const auto run = [fib](unsigned n) { return fib(n) == number(n); };
  return table_program(argc > 2 ? argv[2] : nullptr, [run] { return run(30); }, [run, n] { return run(n); });
}
