#pragma once

#include <filesystem>
#include <string_view>

#include "measure/task_tree.hpp"

/// Task trees as files; docs/traces.md says what stands in one.
namespace jackdaw::measure {

/// The version of the format that write_trace writes; read_trace reads all up to it.
inline constexpr unsigned trace_version = 1;

/// Writes a valid tree (validate()) as plain text, whole or not at all: an old file of that name stays until the new
/// one is complete. Throws jackdaw::error if it cannot be written.
void write_trace(const task_tree& tree, const std::filesystem::path& file);

/// Reads a trace, plain or compressed by gzip. What it returns is valid. Throws jackdaw::error, one line that names
/// file, line and what was expected. In the library jackdaw_traces.
task_tree read_trace(const std::filesystem::path& file);

}  // namespace jackdaw::measure
