#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::test {

/// The virtual machine that a test runs in, as described in tests/vm/machines.
struct expected_machine {
  struct node {
    std::uint64_t mib = 0;   ///< memory; the kernel keeps some of it to itself
    unsigned initiator = 0;  ///< the node whose processors are nearest
    bool cpu_less = false;
    double bandwidth = 0;  ///< MiB/s from the initiator
    double latency = 0;    ///< ns from the initiator
  };

  unsigned packages = 0;
  unsigned cores = 0;
  std::vector<node> nodes;
  std::vector<std::uint64_t> distances;  ///< from i to j at [i * nodes.size() + j]

  /// OS numbers of a node's own CPUs; none if it has none.
  std::vector<unsigned> cpus_of(unsigned node) const;

  /// The node with processors that a node is beside: itself if it has some.
  unsigned socket_of(unsigned node) const { return nodes.at(node).cpu_less ? nodes.at(node).initiator : node; }

  /// Reads the file that $JACKDAW_VM_MACHINE names; none outside the virtual machines, where it is not set.
  static std::optional<expected_machine> here();
};

/// For GTEST_SKIP.
inline constexpr const char* not_in_a_vm = "JACKDAW_VM_MACHINE is not set: not in one of tests/vm's machines";

}  // namespace jackdaw::test
