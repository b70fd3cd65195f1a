#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace jackdaw::probe {

/// Returns the median; of an even number of values the upper one of the two in the middle. Requires a value.
inline double median(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace jackdaw::probe
