#include "kernels/mandelbrot/mandelbrot.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_mandelbrot : public mandelbrot_problem {
 public:
  using mandelbrot_problem::mandelbrot_problem;

  // Rows are filled in the same way as they are computed, so that a page lies on the memory node of the worker that
  // will write it.
  void prepare() override {
    for_rows([this](unsigned y) { clear_row(y); });
  }

  void run() override {
    for_rows([this](unsigned y) { compute_row(y); });
  }

 private:
  template <class F>
  void for_rows(const F& f) {
    jackdaw::for_index(
        0u, n,
        [&](unsigned y) {
          jackdaw::writes(row(y), n);
          f(y);
        },
        jackdaw::grain{1});
  }
};

class serial_mandelbrot : public mandelbrot_problem {
 public:
  using mandelbrot_problem::mandelbrot_problem;
  void run() override {
    for (unsigned y = 0; y != n; ++y) compute_row(y);
  }
};

}  // namespace

kernel mandelbrot() {
  return {.name = "mandelbrot",
          .summary = "Escape times around the Mandelbrot set: a loop of very uneven rows",
          .sizes = names(mandelbrot_sizes),
          .shapes = names(mandelbrot_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_mandelbrot>("jackdaw"), make_side<serial_mandelbrot>("serial")},
          .iterates = true};
}

}  // namespace jackdaw::kernels
