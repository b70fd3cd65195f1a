#pragma once

#include <string>

namespace jackdaw::detail {

/// Returns the place that counts as that of a group opened now: the region that the running task is in, otherwise
/// `site`.
const void* opened_at(const void* site) noexcept;

/// Returns the name of a region that opened_at() returned; null if that was a place in the code.
const std::string* region_name(const void* opened) noexcept;

}  // namespace jackdaw::detail
