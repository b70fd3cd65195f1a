// Blocks and the workers that run them: on the same node, loop after loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "jackdaw/algorithm/for_each.hpp"
#include "jackdaw/runtime.hpp"
#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

using test::mib;

/// A block of a loop and the node of the worker that ran it.
struct block {
  std::size_t first, last;
  unsigned node;
};

std::vector<block> loop_over(placed_array<std::uint64_t>& words) {
  std::mutex mutex;
  std::vector<block> blocks;
  for_range(std::size_t{0}, words.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) words[i] += 1;
    const std::lock_guard hold(mutex);
    blocks.push_back({first, last, this_node().value()});
  });
  return blocks;
}

/// Bytes that are on a node of the same socket as the worker that ran them, of all.
double part_at_home(const placed_array<std::uint64_t>& words, const std::vector<block>& blocks) {
  const auto nodes = test::usable_nodes();
  std::size_t at_home = 0;
  for (const block& each : blocks) {
    const page_locations now = where(words.data() + each.first, (each.last - each.first) * sizeof(std::uint64_t));
    for (const page_locations::share& share : now.shares) {
      if (test::node_of(nodes, share.node).socket == test::node_of(nodes, each.node).socket) at_home += share.bytes;
    }
  }
  return static_cast<double>(at_home) / static_cast<double>(words.size() * sizeof(std::uint64_t));
}

class numa_blocks : public testing::TestWithParam<const char*> {};

TEST_P(numa_blocks, run_where_they_were_first_touched) {
  runtime rt({.scheduler = GetParam(), .pin = true});
  ASSERT_TRUE(rt.place(0).os_cpu.has_value()) << "workers are not pinned";
  rt.run([] {
    placed_array<std::uint64_t> words(16 * mib / sizeof(std::uint64_t));
    for (int iteration = 0; iteration < 3; ++iteration) {
      const std::vector<block> blocks = loop_over(words);
      EXPECT_GE(part_at_home(words, blocks), 0.95) << "iteration " << iteration;
    }
  });
}

TEST_P(numa_blocks, find_their_sockets_nodes_under_by_bandwidth) {
  runtime rt({.scheduler = GetParam(), .pin = true});
  ASSERT_TRUE(rt.place(0).os_cpu.has_value()) << "workers are not pinned";
  const auto nodes = test::usable_nodes();
  const bool some_cpu_less = std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.cpu_less; });
  if (some_cpu_less && test::numa_calls_are_refused()) GTEST_SKIP() << "nodes without processors are out of reach";
  // Sockets run equal parts of a loop: pieces fall to them only if their nodes' bandwidths are equal, too.
  std::vector<node_bandwidth> bandwidths;
  std::map<unsigned, double> of_sockets;
  for (const auto& node : nodes) {
    bandwidths.push_back({node.os, node.cpu_less ? 96 : 22.5});
    of_sockets[node.socket] += bandwidths.back().bandwidth;
  }
  for (const auto& [socket, bandwidth] : of_sockets) {
    if (bandwidth != of_sockets.begin()->second) GTEST_SKIP() << "sockets have different kinds of nodes";
  }
  rt.run([&] {
    placed_array<std::uint64_t> words(16 * mib / sizeof(std::uint64_t),
                                      placement::by_bandwidth(bandwidths).with_pages(page_choice::base));
    // A page that is read first is the zero page until it is written, which is slow under emulation.
    for_each(words.begin(), words.end(), [](std::uint64_t& word) { word = 1; });
    for (int iteration = 0; iteration < 2; ++iteration) {
      const std::vector<block> blocks = loop_over(words);
      EXPECT_GE(part_at_home(words, blocks), 0.95) << "iteration " << iteration << "\n" << words.report().text();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(schedulers, numa_blocks, testing::Values("adws:no-steal"),
                         [](const testing::TestParamInfo<const char*>&) { return std::string("adws_no_steal"); });

}  // namespace
}  // namespace jackdaw
