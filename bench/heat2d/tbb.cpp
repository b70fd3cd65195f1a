#include "kernels/heat2d/heat2d.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/blocked_range2d.h>
#include <oneapi/tbb/parallel_for.h>

#include "bench/tbb_sides.hpp"

namespace jackdaw::bench::tbb_sides {
namespace {

using kernels::heat2d_shape;
using kernels::rectangle;

class problem : public kernels::heat2d_problem {
 public:
  explicit problem(const kernels::request& wanted) : heat2d_problem(wanted), team_(wanted) {}

  void prepare() override {
    team_.run([this] { everywhere([this](rectangle part) { grid.fill(part); }); });
  }

  void run() override {
    team_.run([this] {
      for (unsigned t = 0; t != iterations; ++t) everywhere([this, t](rectangle part) { grid.step(t, part); });
    });
  }

 private:
  template <class F>
  void everywhere(const F& f) {
    if (shape == heat2d_shape::rows) {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, n), [&](const auto& rows) { f({rows.begin(), rows.end(), 0, n}); },
          affinity_);
      return;
    }
    tbb::parallel_for(
        tbb::blocked_range2d<std::size_t>(0, n / cutoff, 0, n / cutoff),
        [&](const auto& blocks) {
          for (std::size_t i = blocks.rows().begin(); i != blocks.rows().end(); ++i)
            for (std::size_t j = blocks.cols().begin(); j != blocks.cols().end(); ++j)
              f({i * cutoff, (i + 1) * cutoff, j * cutoff, (j + 1) * cutoff});
        },
        affinity_);
  }

  team team_;
  tbb::affinity_partitioner affinity_;
};

}  // namespace

kernels::side heat2d() { return kernels::make_side<problem>("tbb"); }

}  // namespace jackdaw::bench::tbb_sides
