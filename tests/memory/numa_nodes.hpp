#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jackdaw/memory.hpp"
#include "memory/refuse.hpp"
#include "numa/node_view.hpp"
#include "numa/numa_kernel.hpp"

namespace jackdaw::test {

constexpr std::size_t mib = std::size_t{1} << 20;

/// The nodes that may be used, ascending.
inline std::vector<numa::node_view> usable_nodes() {
  std::vector<numa::node_view> nodes = numa::view_now(*detail::machine_here()).nodes;
  std::erase_if(nodes, [](const numa::node_view& each) { return !each.allowed; });
  return nodes;
}

inline const numa::node_view& node_of(const std::vector<numa::node_view>& nodes, unsigned os) {
  return *std::find_if(nodes.begin(), nodes.end(), [&](const numa::node_view& each) { return each.os == os; });
}

/// Whether pages can be placed on the node here: by mbind on any node, by a pinned touch only on one with a CPU.
inline bool in_reach(const numa::node_view& node) { return !numa_calls_are_refused() || !node.cpus.empty(); }

/// A different word at each place.
inline std::uint64_t word_at(std::size_t i) { return i * 0x9e3779b97f4a7c15u + 1; }

inline void fill(std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] = word_at(i);
}

inline bool is_intact(const std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] != word_at(i)) return false;
  }
  return true;
}

/// Every page gets memory.
inline void touch_all(placed_memory& memory) {
  for (std::size_t at = 0; at < memory.size(); at += base_page_size()) memory.data()[at] = std::byte{1};
}

/// 22.5 for nodes with processors, 96 for the others; on a machine of one kind, the two in turn.
inline std::vector<node_bandwidth> uneven_bandwidths(const std::vector<numa::node_view>& nodes) {
  const bool two_kinds = std::any_of(nodes.begin(), nodes.end(), [](const auto& each) { return each.cpu_less; });
  std::vector<node_bandwidth> bandwidths;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool fast = two_kinds ? nodes[i].cpu_less : i % 2 == 1;
    bandwidths.push_back({nodes[i].os, fast ? 96 : 22.5});
  }
  return bandwidths;
}

}  // namespace jackdaw::test
