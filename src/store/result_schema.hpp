#pragma once

#include <array>

namespace jackdaw::store {

/// The tables and columns that each version of a results file adds to the version before; the first entry is version
/// 1's. An existing entry never changes.
extern const std::array<const char*, 5> result_schema;

}  // namespace jackdaw::store
