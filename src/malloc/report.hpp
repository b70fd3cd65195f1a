#pragma once

#include <cstddef>

namespace jackdaw::malloc {

/// Counts on which nodes the pages of a large block are that is given back now. Does nothing unless the program is to
/// report at its end ($JACKDAW_PLACEMENT_REPORT).
void count_given_back(const void* data, std::size_t bytes) noexcept;

}  // namespace jackdaw::malloc
