#pragma once

#include <string_view>

#include "papers/reproduction.hpp"

namespace jackdaw::cli {

/// What the steps of a kernel of CAB's, LAWS's and BATS's papers take on the reference core. Throws std::out_of_range
/// for a kernel that has not been measured.
const reproduction::reference_times& reference_times_of(std::string_view kernel);

}  // namespace jackdaw::cli
