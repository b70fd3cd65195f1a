#include "kernels/heat2d/heat2d.hpp"

#include "bench/openmp_sides.hpp"

namespace jackdaw::bench::openmp_sides {
namespace {

using kernels::heat2d_shape;
using kernels::rectangle;

/// Rows per call of the leaf, a divisor of every grid's rows; one row at a time would need a call for each.
constexpr std::size_t strip = 16;

class problem : public kernels::heat2d_problem {
 public:
  explicit problem(const kernels::request& wanted) : heat2d_problem(wanted), threads_(threads(wanted)) {}

  void prepare() override {
#pragma omp parallel num_threads(threads_)
    everywhere([this](rectangle part) { grid.fill(part); });
  }

  void run() override {
#pragma omp parallel num_threads(threads_)
    for (unsigned t = 0; t != iterations; ++t) everywhere([this, t](rectangle part) { grid.step(t, part); });
  }

 private:
  /// Called by all threads of a parallel region. Each thread does the same share at every call.
  template <class F>
  void everywhere(const F& f) {
    if (shape == heat2d_shape::rows) {
#pragma omp for schedule(static)
      for (std::size_t top = 0; top < n; top += strip) f({top, top + strip, 0, n});
    } else {
      const std::size_t blocks = n / cutoff;
#pragma omp for collapse(2) schedule(static)
      for (std::size_t i = 0; i < blocks; ++i)
        for (std::size_t j = 0; j < blocks; ++j) f({i * cutoff, (i + 1) * cutoff, j * cutoff, (j + 1) * cutoff});
    }
  }

  const int threads_;
};

}  // namespace

kernels::side heat2d() { return kernels::make_side<problem>("openmp"); }

}  // namespace jackdaw::bench::openmp_sides
