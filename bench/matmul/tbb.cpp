#include "kernels/matmul/matmul.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

class problem : public kernels::matmul_problem {
 public:
  explicit problem(const kernels::request& wanted) : matmul_problem(wanted), team_(wanted) {}

  void prepare() override {
    team_.run([this] {
      tbb::parallel_for(std::size_t{0}, n, [this](std::size_t i) { fill_row(i); }, tbb::static_partitioner{});
    });
  }

  void run() override {
    team_.run([this] { multiply(a(), b(), c()); });
  }

 private:
  // Both of the kernel's shapes are this.
  static void multiply(input a, input b, output c) {
    if (c.n == cutoff) return multiply_leaf(a, b, c);
    for (const unsigned k : {0, 1})
      tbb::parallel_invoke([=] { multiply(a.part(0, k), b.part(k, 0), c.part(0, 0)); },
                           [=] { multiply(a.part(1, k), b.part(k, 0), c.part(1, 0)); },
                           [=] { multiply(a.part(0, k), b.part(k, 1), c.part(0, 1)); },
                           [=] { multiply(a.part(1, k), b.part(k, 1), c.part(1, 1)); });
  }

  team team_;
};

}  // namespace

kernels::side matmul() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
