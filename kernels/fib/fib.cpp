#include "kernels/fib/fib.hpp"

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

// Not inlined: compilers would unroll this recursion into itself, but a fork has to be compared with a call.
[[gnu::noinline]] std::uint64_t serial(unsigned n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }

std::uint64_t with_invoke(unsigned n) {
  if (n < 2) return n;
  const auto [a, b] = jackdaw::invoke(jackdaw::work(2, [n] { return with_invoke(n - 1); }),
                                      jackdaw::work(1, [n] { return with_invoke(n - 2); }));
  return a + b;
}

std::uint64_t with_group(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  jackdaw::task_group group(3);
  group.run([&a, n] { a = with_group(n - 1); }, 2);
  const std::uint64_t b = with_group(n - 2);
  group.wait();
  return a + b;
}

class jackdaw_fib : public fib_problem {
 public:
  using fib_problem::fib_problem;
  void run() override { result = shape == fib_shape::invoke ? with_invoke(n) : with_group(n); }
};

class serial_fib : public fib_problem {
 public:
  using fib_problem::fib_problem;
  void run() override { result = serial(n); }
};

}  // namespace

kernel fib() {
  return {.name = "fib",
          .summary = "Fibonacci numbers by double recursion: the cost of a fork",
          .sizes = names(fib_sizes),
          .shapes = names(fib_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_fib>("jackdaw"), make_side<serial_fib>("serial")}};
}

}  // namespace jackdaw::kernels
