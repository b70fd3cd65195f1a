#pragma once

#include <memory>
#include <string_view>

#include "kernels/common/kernel.hpp"

namespace jackdaw::kernels {

/// The side of that name whose problems are all of class Problem, made from the request alone.
template <class Problem>
side make_side(std::string_view name) {
  return {name, [](const request& wanted) { return std::make_unique<Problem>(wanted); }};
}

// One function per kernel, each defined in the file of that name; the stencils and conv in stencils.cpp.
kernel fib();
kernel nqueens();
kernel uts();
kernel cilksort();
kernel sort();
kernel matmul();
kernel heat2d();
kernel pagerank();
kernel components();
kernel labelprop();
kernel mandelbrot();
kernel heat();
kernel sor();
kernel ge();
kernel stencil_9p();
kernel conv();
kernel stencil_6p();
kernel stencil_25p();
kernel fft();
kernel ga();
kernel knapsack();
kernel checkers();
kernel cholesky();

}  // namespace jackdaw::kernels
