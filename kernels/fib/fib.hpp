#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/common/choice.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// How fib(n) forks. `invoke`: structured. `group`: fib(n-2) is not spawned, as in ADWS section 5.5. Both fork at every
/// call, without a cutoff, and hint that fib(n-1) is twice the work of fib(n-2).
enum class fib_shape { invoke, group };

inline constexpr auto fib_sizes = std::to_array<choice<unsigned>>({{"35", 35},
                                                                   {"tiny", 12},
                                                                   {"20", 20},
                                                                   {"25", 25},
                                                                   {"30", 30},
                                                                   {"38", 38},
                                                                   {"40", 40},
                                                                   {"42", 42},
                                                                   {"45", 45},
                                                                   {"50", 50}});
inline constexpr auto fib_shapes =
    std::to_array<choice<fib_shape>>({{"invoke", fib_shape::invoke}, {"group", fib_shape::group}});

/// The n-th Fibonacci number by the doubly recursive definition. Nearly all of the time is spent on forks and joins.
class fib_problem : public problem {
 public:
  explicit fib_problem(const request& wanted)
      : n(choose(fib_sizes, "fib", "size", wanted.size)), shape(choose(fib_shapes, "fib", "shape", wanted.shape)) {}

  void prepare() override { result = 0; }

  void check() override {
    const std::uint64_t expected = number(n);
    if (result != expected)
      throw check_failed("fib(" + std::to_string(n) + ") came out as " + std::to_string(result) + ", expected " +
                         std::to_string(expected));
  }

  double items() const override { return 2.0 * static_cast<double>(number(n + 1)) - 1; }
  std::string_view unit() const override { return "calls"; }

 protected:
  const unsigned n;
  const fib_shape shape;
  std::uint64_t result = 0;

 private:
  static std::uint64_t number(unsigned n) {
    std::uint64_t a = 0, b = 1;
    for (; n != 0; --n) {
      const std::uint64_t next = a + b;
      a = b;
      b = next;
    }
    return a;
  }
};

}  // namespace jackdaw::kernels
