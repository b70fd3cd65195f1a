#pragma once

#include <filesystem>

#include "trace/timeline.hpp"

namespace jackdaw::trace {

/// Writes a Perfetto trace (TrackEvents, docs/timeline.md) as a whole or not at all. Slices that have not ended end at
/// `what.end`. Throws jackdaw::error if the file cannot be written.
void write_timeline(const timeline_view& what, const std::filesystem::path& file);

}  // namespace jackdaw::trace
