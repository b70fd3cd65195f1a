#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace jackdaw::trace {

/// Returns the elements sorted; equal ones keep their order. As std::stable_sort, which libstdc++ 12 writes with a
/// function that clang calls deprecated.
template <class T, class Less>
std::vector<T> in_order(std::vector<T> all, Less less) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (less(all[a], all[b])) return true;
    return !less(all[b], all[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(all.size());
  for (const std::size_t each : order) sorted.push_back(std::move(all[each]));
  return sorted;
}

}  // namespace jackdaw::trace
