#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sched/event.hpp"

namespace jackdaw::trace {

/// One line of an event file, without its end: fields with blanks between, docs/events.md says which.
std::string event_text(const sched::event& what);

/// Writes events as plain text, whole or not at all; docs/events.md says what stands there. Throws jackdaw::error if
/// the file cannot be written.
void write_events(const std::vector<sched::event>& events, const std::filesystem::path& file);

}  // namespace jackdaw::trace
