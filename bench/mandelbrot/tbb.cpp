#include "kernels/mandelbrot/mandelbrot.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

class problem : public kernels::mandelbrot_problem {
 public:
  explicit problem(const kernels::request& wanted) : mandelbrot_problem(wanted), team_(wanted) {}
  void run() override {
    team_.run([this] { tbb::parallel_for(0u, n, [this](unsigned y) { compute_row(y); }, tbb::simple_partitioner{}); });
  }

 private:
  team team_;
};

}  // namespace

kernels::side mandelbrot() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
