#pragma once

#include <cstdint>

#include "store/database.hpp"
#include "store/execution.hpp"

namespace jackdaw::store {

/// Inserts a row into `execution`, and all that belongs to it. Returns the execution's id. For result_store::add.
/// Throws jackdaw::error.
std::int64_t insert_execution(const database& into, const execution& what);

}  // namespace jackdaw::store
