#include "kernels/common/graph_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/common/data_file.hpp"
#include "kernels/common/line_reader.hpp"

namespace jackdaw::kernels {
namespace {

/// Refuses empty graphs, and graphs whose arrays would be far larger than their text, for example after a mistyped
/// digit.
void check_vertices(const line_reader& lines, std::uint64_t vertices, std::uint64_t edges) {
  constexpr std::uint64_t largest = std::numeric_limits<vertex>::max();
  const std::uint64_t most = std::min((std::uint64_t{1} << 20) + 1024 * std::min(edges, largest), largest);
  if (vertices == 0) lines.fail("no vertices", "at least one");
  if (vertices > most)
    lines.fail(std::to_string(vertices) + " vertices for " + std::to_string(edges) + " edges",
               "at most " + std::to_string(most));
}

/// Returns the number that follows `label` in a comment such as "# Nodes: 4 Edges: 7".
std::optional<std::uint64_t> number_after(std::string_view label, std::string_view comment) {
  const std::size_t at = comment.find(label);
  if (at == comment.npos) return std::nullopt;
  comment.remove_prefix(at + label.size());
  comment.remove_prefix(std::min(comment.find_first_not_of(' '), comment.size()));
  std::uint64_t result = 0;
  const auto [end, bad] = std::from_chars(comment.data(), comment.data() + comment.size(), result);
  if (bad != std::errc{}) return std::nullopt;
  return result;
}

graph parse_snap(std::string_view text, const std::string& name) {
  line_reader lines(text, name);
  std::vector<edge> edges;
  std::uint64_t vertices = 0;
  std::optional<std::uint64_t> announced;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with('#')) {
      vertices = std::max(vertices, number_after("Nodes:", line).value_or(0));
      if (const auto count = number_after("Edges:", line)) announced = count;
      continue;
    }
    if (lines.blank()) continue;
    const auto from = lines.number_field<vertex>(), to = lines.number_field<vertex>();
    constexpr vertex end = std::numeric_limits<vertex>::max();
    if (!from || !to || *from == end || *to == end || !lines.blank())
      lines.fail(line_reader::quoted(line), "two vertex numbers from 0 to " + std::to_string(end - 1));
    edges.push_back({*from, *to});
    vertices = std::max(vertices, std::uint64_t{std::max(*from, *to)} + 1);
  }
  if (announced && *announced != edges.size())
    lines.fail("the end after " + std::to_string(edges.size()) + " edges",
               std::to_string(*announced) + " edges as a comment above says");
  check_vertices(lines, vertices, edges.size());
  return graph::from_edges(vertices, std::move(edges));
}

struct matrix_header {
  enum class values { none, real, integer };

  values entries;
  bool symmetric;
};

matrix_header parse_matrix_header(line_reader& lines) {
  const std::string_view line = lines.line();
  const auto bad = [&] {
    lines.fail(line_reader::quoted(line),
               "'%%MatrixMarket matrix coordinate' with pattern, real or integer, and general or symmetric");
  };
  const auto word = [&] {
    std::string result(lines.field());
    std::ranges::transform(result, result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return result;
  };
  if (word() != "%%matrixmarket" || word() != "matrix" || word() != "coordinate") bad();
  const std::string values = word(), symmetry = word();
  if ((values != "pattern" && values != "real" && values != "integer") ||
      (symmetry != "general" && symmetry != "symmetric") || !lines.blank())
    bad();
  return {values == "pattern" ? matrix_header::values::none
          : values == "real"  ? matrix_header::values::real
                              : matrix_header::values::integer,
          symmetry == "symmetric"};
}

/// Advances to the next line that is neither blank nor a comment. False at the end of the text.
bool next_matrix_line(line_reader& lines) {
  while (lines.next())
    if (!lines.blank() && !lines.line().starts_with('%')) return true;
  return false;
}

edge parse_matrix_entry(line_reader& lines, const matrix_header& header, std::uint64_t size) {
  const std::string_view line = lines.line();
  const auto row = lines.number_field<std::uint64_t>(), column = lines.number_field<std::uint64_t>();
  bool good = row && column;
  if (header.entries == matrix_header::values::real) good = good && lines.number_field<double>();
  if (header.entries == matrix_header::values::integer) good = good && lines.number_field<std::int64_t>();
  const auto in_range = [size](std::uint64_t i) { return i >= 1 && i <= size; };
  if (!good || !lines.blank() || !in_range(*row) || !in_range(*column))
    lines.fail(line_reader::quoted(line), "a row and a column from 1 to " + std::to_string(size) +
                                              (header.entries == matrix_header::values::none   ? ""
                                               : header.entries == matrix_header::values::real ? " and a number"
                                                                                               : " and an integer"));
  return {static_cast<vertex>(*row - 1), static_cast<vertex>(*column - 1)};
}

graph parse_matrix(std::string_view text, const std::string& name) {
  line_reader lines(text, name);
  lines.next();
  const matrix_header header = parse_matrix_header(lines);
  if (!next_matrix_line(lines)) lines.fail("the end", "a line with the numbers of rows, columns and entries");
  const std::string_view line = lines.line();
  const auto rows = lines.number_field<std::uint64_t>(), columns = lines.number_field<std::uint64_t>(),
             entries = lines.number_field<std::uint64_t>();
  if (!rows || !columns || !entries || !lines.blank())
    lines.fail(line_reader::quoted(line), "the numbers of rows, columns and entries");
  if (*rows != *columns) lines.fail(line_reader::quoted(line), "a square matrix");
  check_vertices(lines, *rows, *entries);

  std::vector<edge> edges;
  for (std::uint64_t i = 0; i != *entries; ++i) {
    if (!next_matrix_line(lines))
      lines.fail("the end after " + std::to_string(i) + " entries",
                 std::to_string(*entries) + " entries as the size line says");
    const edge e = parse_matrix_entry(lines, header, *rows);
    edges.push_back(e);
    if (header.symmetric && e.from != e.to) edges.push_back({e.to, e.from});
  }
  if (next_matrix_line(lines))
    lines.fail(line_reader::quoted(lines.line()), "the end after " + std::to_string(*entries) + " entries");
  return graph::from_edges(*rows, std::move(edges));
}

}  // namespace

graph parse_graph(std::string_view text, const std::string& name) {
  if (text.starts_with("%%")) return parse_matrix(text, name);
  return parse_snap(text, name);
}

graph read_graph(const std::filesystem::path& file) { return parse_graph(read_file(file), file.string()); }

}  // namespace jackdaw::kernels
