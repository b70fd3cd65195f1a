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

#define KERNEL(name) kernel name();
#include "kernels/common/list.def"
#undef KERNEL

}  // namespace jackdaw::kernels
