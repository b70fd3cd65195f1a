#include "kernels/ge/ge.hpp"

#include <memory>

#include "kernels/common/list.hpp"
#include "kernels/common/row_sweep.hpp"

namespace jackdaw::kernels {

namespace {

/// Returns the side whose problems sweep over a matrix of the size's precision.
template <template <class> class Problem>
side in_either_precision(std::string_view name) {
  return {name, [](const request& wanted) -> std::unique_ptr<problem> {
            if (choose(ge_sizes, ge_matrix::name, "size", wanted.size).single)
              return std::make_unique<Problem<ge_matrix_of<float>>>(wanted);
            return std::make_unique<Problem<ge_matrix>>(wanted);
          }};
}

}  // namespace

kernel ge() {
  kernel result = make_swept<ge_matrix>("Gaussian elimination without pivoting, by rows: a sweep for each pivot");
  result.sides = {in_either_precision<jackdaw_swept>("jackdaw"), in_either_precision<serial_swept>("serial")};
  return result;
}

}  // namespace jackdaw::kernels
