#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "numa/memory_names.hpp"
#include "runtime/declared_ranges.hpp"

namespace jackdaw::detail {

/// Memory that a program thinks of as one thing, as far as the runtime can tell.
struct data_array {
  enum class source : std::uint8_t {
    placed,
    declared,
    ended,  ///< declared, and its memory has been freed or has another name
    anonymous,
  };

  std::uintptr_t begin = 0, end = 0;
  std::string name;         ///< empty: the program has not named it
  std::uintptr_t site = 0;  ///< the code that first declared a part of it; 0: none has
  source from = source::declared;

  std::uint64_t bytes() const noexcept { return end - begin; }
};

/// Divides memory into arrays: what the program has named, what placed containers own, and what tasks declared apart
/// from these. Declared ranges are one array if they touch. If they lie at equal distances, as the rows of a matrix
/// without its margin do, they are one as well. If there are more than `most`, the nearest are taken together. Returns
/// disjoint arrays, ascending by address. `named` and `placed` are disjoint and ascending, too. Throws std::bad_alloc.
/// O(n log n) of all three together.
std::vector<data_array> find_arrays(const std::vector<range_use>& uses, const std::vector<numa::named_range>& named,
                                    const std::vector<numa::named_range>& placed, std::size_t most = 64);

}  // namespace jackdaw::detail
