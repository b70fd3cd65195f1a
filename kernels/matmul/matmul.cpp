#include "kernels/matmul/matmul.hpp"

#include <jackdaw/access.hpp>

#include "kernels/common/list.hpp"

namespace jackdaw::kernels {
namespace {

class jackdaw_matmul : public matmul_problem {
 public:
  using matmul_problem::matmul_problem;

  void prepare() override {
    jackdaw::for_range(std::size_t{0}, n, [this](std::size_t first, std::size_t last) {
      for (const float* const matrix : {a().data, b().data, static_cast<const float*>(c().data)})
        jackdaw::writes(matrix + first * c().row, (last - first) * c().row);
      for (std::size_t i = first; i != last; ++i) fill_row(i);
    });
  }

  void run() override { shape == matmul_shape::group ? with_group(a(), b(), c()) : with_invoke(a(), b(), c()); }

 private:
  static void multiply_declared(input a, input b, output c) {
    jackdaw::reads(a.data, a.n, a.n, a.row);
    jackdaw::reads(b.data, b.n, b.n, b.row);
    jackdaw::reads(c.data, c.n, c.n, c.row);
    jackdaw::writes(c.data, c.n, c.n, c.row);
    multiply_leaf(a, b, c);
  }

  // Both groups visit the quarters of C in the same order, so that each worker gets the same part of C twice.
  static void with_group(input a, input b, output c) {
    if (c.n == cutoff) return multiply_declared(a, b, c);
    for (const unsigned k : {0, 1}) {
      jackdaw::task_group group(4);
      group.run([=] { with_group(a.part(0, k), b.part(k, 0), c.part(0, 0)); }, 1);
      group.run([=] { with_group(a.part(1, k), b.part(k, 0), c.part(1, 0)); }, 1);
      group.run([=] { with_group(a.part(0, k), b.part(k, 1), c.part(0, 1)); }, 1);
      group.run([=] { with_group(a.part(1, k), b.part(k, 1), c.part(1, 1)); }, 1);
      group.wait();
    }
  }

  static void with_invoke(input a, input b, output c) {
    if (c.n == cutoff) return multiply_declared(a, b, c);
    for (const unsigned k : {0, 1})
      jackdaw::invoke([=] { with_invoke(a.part(0, k), b.part(k, 0), c.part(0, 0)); },
                      [=] { with_invoke(a.part(1, k), b.part(k, 0), c.part(1, 0)); },
                      [=] { with_invoke(a.part(0, k), b.part(k, 1), c.part(0, 1)); },
                      [=] { with_invoke(a.part(1, k), b.part(k, 1), c.part(1, 1)); });
  }
};

class serial_matmul : public matmul_problem {
 public:
  using matmul_problem::matmul_problem;
  void run() override { multiply(a(), b(), c()); }

 private:
  static void multiply(input a, input b, output c) {
    if (c.n == cutoff) return multiply_leaf(a, b, c);
    for (const unsigned k : {0, 1})
      for (const unsigned j : {0, 1})
        for (const unsigned i : {0, 1}) multiply(a.part(i, k), b.part(k, j), c.part(i, j));
  }
};

}  // namespace

kernel matmul() {
  return {.name = "matmul",
          .summary = "Dense single-precision matrix product by quarters",
          .sizes = names(matmul_sizes),
          .shapes = names(matmul_shapes),
          .takes_input = false,
          .sides = {make_side<jackdaw_matmul>("jackdaw"), make_side<serial_matmul>("serial")}};
}

}  // namespace jackdaw::kernels
