#pragma once

#include <string>

namespace jackdaw::detail {

/// The region that the running task is in, else `site`: where a group that is opened now counts as opened.
const void* opened_at(const void* site) noexcept;

/// The name of a region that opened_at returned; null for a place in the code.
const std::string* region_name(const void* opened) noexcept;

}  // namespace jackdaw::detail
