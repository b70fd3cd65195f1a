#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "kernels/common/graph.hpp"

namespace jackdaw::kernels {

/// Reads a graph from a file in one of two formats, which the first line tells apart; either may be compressed by gzip.
///
/// - SNAP edge list: lines "from to" separated by blanks, vertices numbered from 0, comment lines that begin with '#'.
/// If a comment says "Nodes: N" and "Edges: M", as in SNAP's files, there must be exactly M edge lines, and the graph
/// has at least N vertices.
/// - Matrix Market coordinate, square; pattern, real or integer (values are checked and ignored); general or symmetric.
///   Row i, column j is the edge from i - 1 to j - 1; a symmetric matrix has the edge back as well.
///
/// Throws jackdaw::error in the form "file:line: found this, expected that". Also refuses vertex numbers so large that
/// nearly all vertices would have no edge.
graph read_graph(const std::filesystem::path& file);

/// The same for a text in memory; `name` replaces the file's name in messages.
graph parse_graph(std::string_view text, const std::string& name);

}  // namespace jackdaw::kernels
