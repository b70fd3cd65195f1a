#include "kernels/mandelbrot.hpp"

#include "kernels/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_mandelbrot : public mandelbrot_problem {
 public:
  using mandelbrot_problem::mandelbrot_problem;
  void run() override {
    jackdaw::for_index(0u, n, [this](unsigned y) { compute_row(y); }, jackdaw::grain{1});
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
          .sides = {make_side<jackdaw_mandelbrot>("jackdaw"), make_side<serial_mandelbrot>("serial")}};
}

}  // namespace jackdaw::kernels
