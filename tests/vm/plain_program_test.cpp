// A program that knows nothing of jackdaw (plain_program.cpp) with libjackdaw-malloc.so: where its memory is.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "vm/expected_machine.hpp"
#include "vm/test_name.hpp"

namespace {

using jackdaw::test::expected_machine;

constexpr unsigned blocks_of_a_processor = 64, arrays = 9;
/// Where the host runs something else on a processor for a while, others take its tasks: locality_test.cpp.
/// BATS watches data in the second sweep, and tries each part on each of up to four sockets after that.
constexpr std::size_t first_that_counts_under_bats = 5;
constexpr unsigned most_runs = 20;
constexpr std::chrono::seconds no_run_after(100);

class plain_program : public testing::Test {
 protected:
  void SetUp() override {
    described = expected_machine::here();
    if (!described) GTEST_SKIP() << jackdaw::test::not_in_a_vm;
  }

  /// What it prints, on stderr too, in this environment.
  std::string run(const std::string& environment) const {
    std::ostringstream command;
    command << environment << " /bin/plain_program " << blocks_of_a_processor * described->cores << ' ' << arrays << ' '
            << described->packages << " 2>&1";
    // The shell inside is the image's own. NOLINTNEXTLINE(bugprone-command-processor,cert-env33-c)
    FILE* const pipe = popen(command.str().c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen: " + command.str());
    std::string output;
    std::array<char, 4096> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), count);
    EXPECT_EQ(pclose(pipe), 0) << output;
    return output;
  }

  /// The part that is local: the median of the sweeps but for the `first` ones, in the best of some starts that miss
  /// what is wanted.
  double local(const std::string& environment, double wanted, std::size_t first = 0) const {
    double best = 0;
    std::string each;
    const auto until = std::chrono::steady_clock::now() + no_run_after;
    for (unsigned start = 0; start < most_runs && best < wanted && std::chrono::steady_clock::now() < until; ++start) {
      std::istringstream said(run(environment));
      std::vector<double> parts;
      if (start != 0) each += " again:";
      for (double part = 0; said >> part;) {
        each += ' ' + std::to_string(std::lround(100 * part));
        parts.push_back(part);
      }
      if (parts.size() <= first) continue;
      parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(first));
      std::sort(parts.begin(), parts.end());
      best = std::max(best, parts[parts.size() / 2]);
    }
    std::printf("figure: %s: %.1f%% of the bytes were local, by sweep:%s\n", environment.c_str(), 100 * best,
                each.c_str());
    return best;
  }

  /// The program and its image fill the first node of the smaller machine, so what is to go there goes elsewhere.
  bool is_full() const { return described->packages == 2; }
  static constexpr const char* full = "the first node is full of what the machine was booted with";

  /// MiB of large blocks by node, from the report.
  std::vector<double> large_blocks(const std::string& environment) const {
    const std::string said = run(environment + " JACKDAW_PLACEMENT_REPORT=all");
    std::vector<double> by_node(described->nodes.size(), 0);
    std::istringstream lines(said.substr(std::min(said.size(), said.find("large blocks"))));
    std::string line;
    std::getline(lines, line);
    for (std::size_t node = 0; std::getline(lines, line);) {
      double large = 0, rest = 0;
      std::istringstream words(line);
      if (words >> node >> large >> rest && node < by_node.size()) by_node[node] = large;
    }
    std::printf("figure: %s:", environment.c_str());
    for (const double each : by_node) std::printf(" %.1f", each);
    std::printf(" MiB by node\n");
    return by_node;
  }

  std::optional<expected_machine> described;
};

const std::string preloaded = "LD_PRELOAD=/bin/libjackdaw-malloc.so ";

TEST_F(plain_program, is_local_under_adws) { EXPECT_GE(local(preloaded + "JACKDAW_SCHEDULER=adws", 0.9), 0.9); }
TEST_F(plain_program, is_local_under_bats) {
  if (described->packages == 2) GTEST_SKIP() << "the CXL node is beside one socket alone";
  EXPECT_GE(local(preloaded + "JACKDAW_SCHEDULER=bats", 0.9, first_that_counts_under_bats), 0.9);
}
TEST_F(plain_program, is_spread_by_interleave) {
  if (is_full()) GTEST_SKIP() << full;
  std::vector<double> by_node = large_blocks(preloaded + "JACKDAW_PLACEMENT=interleave");
  by_node.erase(by_node.begin());  // it may be full, too
  double sum = 0;
  for (const double each : by_node) sum += each;
  const double mean = sum / static_cast<double>(by_node.size());
  EXPECT_GT(mean, 1);
  // The kernel lets each thread go through the nodes by itself, and what a full node does not take goes to others.
  for (const double each : by_node) EXPECT_NEAR(each, mean, 0.6 * mean);
}
TEST_F(plain_program, is_spread_by_bandwidth) {
  if (is_full()) GTEST_SKIP() << full;
  const std::vector<double> by_node = large_blocks(preloaded + "JACKDAW_PLACEMENT=by-bandwidth");
  double sum = 0, bandwidths = 0;
  for (const double each : by_node) sum += each;
  for (const auto& each : described->nodes) bandwidths += each.bandwidth;
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    EXPECT_NEAR(by_node[node], sum * described->nodes[node].bandwidth / bandwidths, 0.05 * sum) << node;
  }
}
TEST_F(plain_program, is_on_the_fastest_nodes) {
  if (is_full()) GTEST_SKIP() << full;
  const std::vector<double> by_node = large_blocks(preloaded + "JACKDAW_PLACEMENT=fastest");
  double fastest = 0, sum = 0, there = 0;
  for (const auto& each : described->nodes) fastest = std::max(fastest, each.bandwidth);
  for (std::size_t node = 0; node < by_node.size(); ++node) {
    sum += by_node[node];
    if (described->nodes[node].bandwidth > 0.9 * fastest) there += by_node[node];
  }
  EXPECT_GE(there, 0.95 * sum);
}

}  // namespace
