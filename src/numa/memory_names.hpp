#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::numa {

/// Memory that the program has named.
struct named_range {
  std::uintptr_t begin = 0, end = 0;
  std::string name;
};

/// Names memory; an earlier name of any part of it is forgotten. An empty name only forgets. Throws std::bad_alloc.
void name_range(std::uintptr_t begin, std::uintptr_t end, std::string_view name);
/// All named memory, ascending by address; the ranges are disjoint. Throws std::bad_alloc.
std::vector<named_range> named_ranges();

}  // namespace jackdaw::numa
