#include "kernels/fib/fib.hpp"

#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_group.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::fib_shape;

std::uint64_t with_invoke(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  tbb::parallel_invoke([&] { a = with_invoke(n - 1); }, [&] { b = with_invoke(n - 2); });
  return a + b;
}

std::uint64_t with_group(unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  tbb::task_group group;
  group.run([&] { a = with_group(n - 1); });
  const std::uint64_t b = with_group(n - 2);
  group.wait();
  return a + b;
}

class problem : public kernels::fib_problem {
 public:
  explicit problem(const kernels::request& wanted) : fib_problem(wanted), team_(wanted) {}
  void run() override {
    result = team_.run([this] { return shape == fib_shape::invoke ? with_invoke(n) : with_group(n); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side fib() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
