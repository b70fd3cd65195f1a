#pragma once

#include <string_view>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// Returns the times of the steps of a kernel of the papers and of the table of machines, on the reference core. Throws
/// std::out_of_range for a kernel that was not measured.
const reproduction::reference_times& reference_times_of(std::string_view kernel);

}  // namespace jackdaw::cli
