#include "kernels/common/graph_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <jackdaw/jackdaw.hpp>

#include "kernels/common/data_file.hpp"

namespace jackdaw::kernels {
namespace {

std::string message_for(std::string_view text) {
  try {
    parse_graph(text, "g.txt");
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

/// The graph's edges as "0>1 0>2 ".
std::string edges_of(const graph& g) {
  std::string result;
  for (vertex v = 0; v != g.vertices(); ++v)
    for (const vertex to : g.neighbours(v)) result += std::to_string(v) + '>' + std::to_string(to) + ' ';
  return result;
}

TEST(snap, reads_edges_comments_and_blank_lines) {
  const graph g = parse_graph("# a graph\n# Nodes: 5 Edges: 3\n0\t1\n\n3 1\r\n 1\t 0 ", "g.txt");
  EXPECT_EQ(g.vertices(), 5u);
  EXPECT_EQ(edges_of(g), "0>1 1>0 3>1 ");
}

TEST(snap, vertices_reach_to_the_largest_number) { EXPECT_EQ(parse_graph("7 2\n", "g.txt").vertices(), 8u); }

TEST(snap, refuses_malformed_lines) {
  const std::string expected = ", expected two vertex numbers from 0 to 4294967294";
  EXPECT_EQ(message_for("0 1\n1 x\n"), "g.txt:2: found '1 x'" + expected);
  EXPECT_EQ(message_for("# c\n\n0\n"), "g.txt:3: found '0'" + expected);
  EXPECT_EQ(message_for("0 1 2\n"), "g.txt:1: found '0 1 2'" + expected);
  EXPECT_EQ(message_for("0 -1\n"), "g.txt:1: found '0 -1'" + expected);
  EXPECT_EQ(message_for("0 4294967295\n"), "g.txt:1: found '0 4294967295'" + expected);
  EXPECT_EQ(message_for("0 1.5\n"), "g.txt:1: found '0 1.5'" + expected);
}

TEST(snap, refuses_other_numbers_of_edges_than_announced) {
  EXPECT_EQ(message_for("# Nodes: 3 Edges: 2\n0 1\n"),
            "g.txt:3: found the end after 1 edges, expected 2 edges as a comment above says");
}

TEST(snap, refuses_graphs_of_nothing_and_nearly_nothing) {
  EXPECT_EQ(message_for(""), "g.txt:1: found no vertices, expected at least one");
  EXPECT_EQ(message_for("0 4000000000\n"), "g.txt:2: found 4000000001 vertices for 1 edges, expected at most 1049600");
}

TEST(matrix_market, reads_patterns_reals_and_integers) {
  EXPECT_EQ(edges_of(parse_graph("%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 2\n1 2\n3 1\n", "g")),
            "0>1 2>0 ");
  EXPECT_EQ(edges_of(parse_graph("%%matrixmarket MATRIX coordinate real general\n2 2 1\n1 2 -1.5e3\n", "g")), "0>1 ");
  EXPECT_EQ(edges_of(parse_graph("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 2 -7\n", "g")), "1>1 ");
}

TEST(matrix_market, symmetric_entries_are_edges_both_ways) {
  EXPECT_EQ(edges_of(parse_graph("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n", "g")),
            "0>2 1>1 2>0 ");
}

TEST(matrix_market, refuses_other_headers) {
  for (const std::string header :
       {"%%MatrixMarket matrix array real general", "%%MatrixMarket matrix coordinate complex general",
        "%%MatrixMarket matrix coordinate real hermitian", "%%MatrixMarket vector coordinate real general",
        "%%MatrixMarket matrix coordinate real general x", "%%MatrixMarket"})
    EXPECT_EQ(message_for(header + "\n1 1 0\n"),
              "g.txt:1: found '" + header +
                  "', expected '%%MatrixMarket matrix coordinate' with pattern, real or integer, and general or "
                  "symmetric");
}

TEST(matrix_market, refuses_bad_size_lines) {
  const std::string header = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(message_for(header),
            "g.txt:2: found the end, expected a line with the numbers of rows, columns and entries");
  EXPECT_EQ(message_for(header + "3 3\n"), "g.txt:2: found '3 3', expected the numbers of rows, columns and entries");
  EXPECT_EQ(message_for(header + "3 4 0\n"), "g.txt:2: found '3 4 0', expected a square matrix");
  EXPECT_EQ(message_for(header + "0 0 0\n"), "g.txt:2: found no vertices, expected at least one");
  EXPECT_EQ(message_for(header + "4294967295 4294967295 1\n"),
            "g.txt:2: found 4294967295 vertices for 1 edges, expected at most 1049600");
}

TEST(matrix_market, refuses_bad_entries) {
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n";
  EXPECT_EQ(message_for(pattern + "1 1\n"),
            "g.txt:4: found the end after 1 entries, expected 2 entries as the size line says");
  EXPECT_EQ(message_for(pattern + "1 1\n1 2\n1 3\n"), "g.txt:5: found '1 3', expected the end after 2 entries");
  EXPECT_EQ(message_for(pattern + "1 4\n"), "g.txt:3: found '1 4', expected a row and a column from 1 to 3");
  EXPECT_EQ(message_for(pattern + "0 1\n"), "g.txt:3: found '0 1', expected a row and a column from 1 to 3");
  EXPECT_EQ(message_for(pattern + "1 2 3\n"), "g.txt:3: found '1 2 3', expected a row and a column from 1 to 3");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n"),
            "g.txt:3: found '1 2', expected a row and a column from 1 to 3 and a number");
  EXPECT_EQ(message_for("%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 0.5\n"),
            "g.txt:3: found '1 2 0.5', expected a row and a column from 1 to 3 and an integer");
}

TEST(graph_file, long_lines_are_cut_in_messages) {
  EXPECT_EQ(message_for(std::string(100, 'x')),
            "g.txt:1: found '" + std::string(60, 'x') + "...', expected two vertex numbers from 0 to 4294967294");
}

class graph_files : public testing::Test {
 protected:
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("jackdaw-graph-" + std::to_string(getpid()) + ".txt.gz");

  void write(std::string_view bytes) const { std::ofstream(file, std::ios::binary) << bytes; }

  void TearDown() override { std::filesystem::remove(file); }
};

TEST_F(graph_files, a_missing_file_or_a_folder_is_named) {
  EXPECT_THROW(
      {
        try {
          read_graph(file);
        } catch (const error& e) {
          EXPECT_EQ(e.what(), file.string() + ": cannot be read: No such file or directory");
          throw;
        }
      },
      error);
  EXPECT_THROW(read_graph(std::filesystem::temp_directory_path()), error);
}

TEST_F(graph_files, compressed_and_plain_files_are_told_apart) {
  write("0 1\n1 2\n");
  EXPECT_EQ(edges_of(read_graph(file)), "0>1 1>2 ");
  const graph g = read_graph(data_file("debian12-dependencies.txt.gz"));
  EXPECT_EQ(g.vertices(), 63666u);
  EXPECT_EQ(g.edges(), 310497u);
}

TEST_F(graph_files, a_truncated_compressed_file_is_refused) {
  const auto whole = data_file("debian12-dependencies.txt.gz");
  std::filesystem::copy_file(whole, file);
  std::filesystem::resize_file(file, std::filesystem::file_size(whole) - 1000);
  EXPECT_THROW(
      {
        try {
          read_graph(file);
        } catch (const error& e) {
          EXPECT_EQ(std::string(e.what()).find(file.string() + ": cannot be read: "), 0u) << e.what();
          throw;
        }
      },
      error);
}

}  // namespace
}  // namespace jackdaw::kernels
