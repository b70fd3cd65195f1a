#pragma once

#include <cstdint>
#include <vector>

#include "profile/hotness/access_log.hpp"
#include "profile/hotness/data_area.hpp"

namespace jackdaw::profile {

/// The written ranges of `declared` that lie in none of `known` (ascending), in whole pages: a program's own arrays.
/// Adjacent ranges become one. Ranges below `least` bytes are left out, because they may be local variables.
std::vector<data_area> written_elsewhere(const std::vector<access_log::entry>& declared,
                                         const std::vector<data_area>& known, std::size_t page, std::size_t least);

/// The declared accesses to each of `areas`, which are ascending and do not overlap, in lines of 64 bytes.
std::vector<double> declared_heat(const std::vector<access_log::entry>& declared, const std::vector<data_area>& areas);

}  // namespace jackdaw::profile
