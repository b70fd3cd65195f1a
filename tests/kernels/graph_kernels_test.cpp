// The graph kernels on graphs small enough to know the answer.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <jackdaw/jackdaw.hpp>

#include "kernels/components/components.hpp"
#include "kernels/pagerank/pagerank.hpp"

namespace jackdaw::kernels {
namespace {

class graph_kernels : public testing::Test {
 protected:
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("jackdaw-graph-kernels-" + std::to_string(getpid()) + ".txt");

  request with(std::string_view text) const {
    std::ofstream(file) << text;
    return {.input = file};
  }

  void TearDown() override { std::filesystem::remove(file); }
};

class visible_components : public components_problem {
 public:
  using components_problem::components_problem;

  void run() override {
    hook(0, edges.vertices());
    flatten(0, edges.vertices());
  }

  std::vector<vertex> labels() const { return {label.begin(), label.end()}; }
  void relabel(vertex v, vertex as) { label[v] = as; }
};

TEST_F(graph_kernels, components_are_named_after_their_first_vertex) {
  visible_components p(with("# Nodes: 8 Edges: 5\n5 1\n6 5\n2 3\n3 3\n7 6\n"));
  p.prepare();
  p.run();
  EXPECT_EQ(p.labels(), (std::vector<vertex>{0, 1, 2, 2, 4, 1, 1, 1}));
  EXPECT_NO_THROW(p.check());
}

TEST_F(graph_kernels, components_check_finds_joined_and_split_components) {
  visible_components p(with("0 1\n2 3\n"));
  p.prepare();
  p.run();
  p.relabel(3, 3);
  EXPECT_THROW(p.check(), check_failed);
  p.relabel(2, 0);
  p.relabel(3, 0);
  EXPECT_THROW(p.check(), check_failed);
}

class visible_rounds : public components_problem {
 public:
  using components_problem::components_problem;

  void run() override {
    for (unsigned t = 0; t != rounds; ++t) {
      spread(t, 0, 3);
      spread(t, 3, edges.vertices());
    }
  }

  std::vector<vertex> labels() const { return {before(rounds).begin(), before(rounds).end()}; }
  void relabel(vertex v, vertex as) { (rounds % 2 == 0 ? label : other)[v] = as; }
};

TEST_F(graph_kernels, a_round_carries_labels_one_edge_further_both_ways) {
  request wanted = with("0 1\n2 1\n2 3\n3 4\n5 6\n");
  wanted.shape = "rounds";
  const std::vector<std::vector<vertex>> after = {
      {}, {0, 0, 1, 2, 3, 5, 5}, {0, 0, 0, 1, 2, 5, 5}, {0, 0, 0, 0, 1, 5, 5}};
  for (const unsigned rounds : {1U, 2U, 3U}) {
    wanted.iterations = rounds;
    visible_rounds p(wanted);
    p.prepare();
    EXPECT_THROW(p.check(), check_failed);
    p.run();
    EXPECT_EQ(p.labels(), after[rounds]);
    EXPECT_NO_THROW(p.check());
    p.relabel(6, 4);
    EXPECT_THROW(p.check(), check_failed);
  }
}

class visible_pagerank : public pagerank_problem {
 public:
  using pagerank_problem::pagerank_problem;

  void run() override {
    for (unsigned t = 0; t != iterations; ++t) {
      compute_shares(0, sources.vertices());
      double lost = 0;
      for (const vertex v : dead_ends) lost += rank[v];
      compute_ranks(0, sources.vertices(), base(lost));
    }
  }

  double rank_of(vertex v) const { return rank[v]; }
};

/// Two vertices point at a third, which is a dead end. With x for each of the two and y for the third, x = (0.15 +
/// 0.85 y) / 3 and 2 x + y = 1.
TEST_F(graph_kernels, pagerank_of_three_vertices) {
  request wanted = with("0 2\n1 2\n");
  wanted.iterations = 200;
  visible_pagerank p(wanted);
  p.prepare();
  p.run();
  const double x = 1 / 4.7;
  EXPECT_NEAR(p.rank_of(0), x, 1e-12);
  EXPECT_NEAR(p.rank_of(1), x, 1e-12);
  EXPECT_NEAR(p.rank_of(2), 1 - 2 * x, 1e-12);
  EXPECT_NO_THROW(p.check());
}

TEST_F(graph_kernels, all_take_files_and_are_right_in_parallel) {
  std::string path = "# a path and its end's end\n";
  for (int i = 0; i != 500; ++i) path += std::to_string((i * 7) % 501) + ' ' + std::to_string((i * 7 + 7) % 501) + '\n';
  request wanted = with(path);
  runtime rt{[] {
    options o;
    o.workers = 3;
    return o;
  }()};
  for (const std::string name : {"pagerank", "components", "labelprop", "components rounds"}) {
    wanted.shape = name.ends_with("rounds") ? "rounds" : "";
    const auto p = find(name.substr(0, name.find(' ')))->sides.front().make(wanted);
    rt.run([&] {
      p->prepare();
      p->run();
    });
    EXPECT_NO_THROW(p->check()) << name;
  }
}

}  // namespace
}  // namespace jackdaw::kernels
