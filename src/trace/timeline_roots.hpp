#pragma once

#include <vector>

#include "trace/timeline_tracks.hpp"

namespace jackdaw::trace {

/// Returns the tracks of roots: each root from its beginning to its end, with its regions and iterations inside. Roots
/// that overlap are on different tracks, and so are iterations that overlap.
std::vector<timeline_track> root_tracks(const timeline_view& what);

}  // namespace jackdaw::trace
