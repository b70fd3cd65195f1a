#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sched/event.hpp"

namespace jackdaw::trace {

/// One line of an event file, without the line end: fields separated by blanks, which docs/events.md describes.
std::string event_text(const sched::event& what);

/// Writes events as plain text, in the format of docs/events.md, as a whole or not at all. Throws jackdaw::error if the
/// file cannot be written.
void write_events(const std::vector<sched::event>& events, const std::filesystem::path& file);

}  // namespace jackdaw::trace
