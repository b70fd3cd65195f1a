#pragma once

#include "kernels/common/kernel.hpp"

/// Sides that call one of the standard library's parallel algorithms, each defined in bench/<kernel>/stl.cpp.
namespace jackdaw::bench::stl_sides {

kernels::side sort();

}  // namespace jackdaw::bench::stl_sides
