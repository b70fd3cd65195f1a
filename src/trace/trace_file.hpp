#pragma once

#include <filesystem>
#include <string_view>

#include "trace/task_tree.hpp"

/// Task trees as files; docs/traces.md says what stands in one.
namespace jackdaw::trace {

/// The newest version of the format; read_trace reads all up to it. write_trace writes 1 for what 1 can say: trees
/// without inter-socket tasks.
inline constexpr unsigned trace_version = 2;
/// The first version with inter-socket tasks.
inline constexpr unsigned trace_version_inter = 2;

/// Writes a valid tree (validate()) as plain text, whole or not at all: an old file of that name stays until the new
/// one is complete. Throws jackdaw::error if it cannot be written.
void write_trace(const task_tree& tree, const std::filesystem::path& file);

/// Reads a trace, plain or compressed by gzip. What it returns is valid. Throws jackdaw::error, one line that names
/// file, line and what was expected. In the library jackdaw_traces.
task_tree read_trace(const std::filesystem::path& file);

}  // namespace jackdaw::trace
