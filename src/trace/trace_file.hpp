#pragma once

#include <filesystem>
#include <string_view>

#include "trace/task_tree.hpp"

/// Task trees as files, in the format of docs/traces.md.
namespace jackdaw::trace {

/// The newest version of the format; read_trace reads all versions up to it. write_trace writes the lowest version that
/// can express the tree.
inline constexpr unsigned trace_version = 5;
/// The first version with inter-socket tasks.
inline constexpr unsigned trace_version_inter = 2;
/// The first version with work in vectors, and with counted instructions.
inline constexpr unsigned trace_version_vectors = 3;
/// The first version with named memory.
inline constexpr unsigned trace_version_named = 4;
/// The first version that tells of disturbed recordings.
inline constexpr unsigned trace_version_lost = 5;

/// Writes a valid tree (validate()) as plain text, whole or not at all: an old file of that name stays until the new
/// one is complete. Throws jackdaw::error if it cannot be written.
void write_trace(const task_tree& tree, const std::filesystem::path& file);

/// Reads a trace, plain or compressed by gzip, and returns a valid tree. Throws jackdaw::error with one line that names
/// the file, the line and what was expected. In the library jackdaw_traces.
task_tree read_trace(const std::filesystem::path& file);

}  // namespace jackdaw::trace
