#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "jackdaw/detail/export.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The bandwidth of one memory node.
///
/// The unit is arbitrary, but must be the same for all nodes.
struct node_bandwidth {
  unsigned node = 0;     ///< The operating system's number, as in `numactl --hardware` and machine::node::os_index.
  double bandwidth = 0;  ///< A number above 0.

  /// Compares all members.
  bool operator==(const node_bandwidth&) const = default;
};

/// The order in which an object's consecutive pieces go to memory nodes.
enum class node_order : std::uint8_t {
  /// Socket by socket, in the order in which the running scheduler gives a loop's blocks to sockets. Each socket then
  /// finds its blocks in its own nodes: its DRAM, then its HBM.
  by_socket,
  by_number,  ///< Ascending by the operating system's number: usually all DRAM, then all HBM.
  as_given,   ///< In the order of the list of bandwidths.
};

/// The size of the pages that an object consists of.
enum class page_choice : std::uint8_t {
  automatic,  ///< Huge pages if each node's or worker's part is at least 16 of them; otherwise base pages.
  base,       ///< The smallest pages (4 KiB on x86). Boundaries between nodes are exact to one of them.
  huge,       ///< Transparent huge pages (2 MiB on x86), if the kernel has them and the object is large enough.
};

/// A policy that says on which memory nodes an object's memory should be.
///
/// A placement is a value. A placed container keeps it and applies it again when it grows. All nodes have the operating
/// system's numbers. Whether a node exists and may be used is checked when memory is placed. docs/memory.md describes
/// the policies in detail.
class placement {
 public:
  /// The kinds of policies.
  enum class policy : std::uint8_t {
    first_touch,   ///< Each page goes to the node of the worker that touches it first; see first_touch().
    on,            ///< All pages go to one node; see on().
    interleave,    ///< Pages go to nodes in turn; see interleave().
    by_bandwidth,  ///< Nodes get parts in proportion to their bandwidths; see by_bandwidth().
    fastest        ///< The nodes of the highest bandwidth fill up first; see fastest().
  };

  /// The budget that stands for no limit.
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// Makes the policy first_touch().
  placement() = default;
  /// Returns a policy that puts each page on the node of the worker that runs that part of a loop over the object. All
  /// workers touch their pages in parallel.
  static placement first_touch() { return {}; }
  /// Returns a policy that puts all pages on one node. The kernel puts what does not fit there on the nearest nodes
  /// with room.
  static placement on(unsigned node);
  /// Returns a policy that puts pages on nodes in turn.
  ///
  /// @param nodes The nodes; empty selects all nodes that this process may use.
  /// @throws error if a node is named twice.
  static placement interleave(std::vector<unsigned> nodes = {});
  /// Returns a policy that puts one contiguous piece on each node, in proportion to the nodes' bandwidths.
  ///
  /// What a node has no room for goes to the other nodes in the same proportion.
  ///
  /// @param bandwidths The bandwidths. Nodes that are not named get nothing. Empty selects the bandwidths that the
  /// firmware declares, or else those that `jackdaw machine bandwidths` has measured. If there are none, all nodes
  /// count alike, and the report says so.
  /// @throws error if a node is named twice, or if a bandwidth is not a finite number above 0.
  /// @par Source
  /// BATS (2018), equations 1 and 2.
  static placement by_bandwidth(std::vector<node_bandwidth> bandwidths = {});
  /// Returns a policy that fills the nodes of the highest bandwidth first, then those of the next, and so on.
  ///
  /// Nodes whose bandwidths differ by at most 10% share evenly. If no bandwidths are known, nodes whose kind is HBM or
  /// MCDRAM come first and CXL nodes last.
  ///
  /// @param budget The most bytes of this object that a node takes. The slowest nodes have no such limit: they take
  /// what is left.
  /// @param bandwidths As in by_bandwidth().
  /// @throws error as by_bandwidth() does.
  static placement fastest(std::size_t budget = unlimited, std::vector<node_bandwidth> bandwidths = {});

  /// Returns this by_bandwidth() policy with pages in turn instead of contiguous pieces.
  ///
  /// The proportion is that of the kernel, which the administrator sets for the whole computer in
  /// `/sys/kernel/mm/mempolicy/weighted_interleave`. Kernels before Linux 6.9 cannot do that: there the pieces stay
  /// contiguous, and the report says so.
  ///
  /// @throws error if this is another policy than by_bandwidth().
  placement spread_by_kernel() const;
  /// Returns this policy with another size of pages.
  placement with_pages(page_choice pages) const;
  /// Returns this policy with another order of nodes.
  placement with_order(node_order order) const;

  /// Returns the kind of the policy.
  policy kind() const noexcept { return kind_; }
  /// Returns the nodes given to on() or interleave(); empty: all nodes, or another policy.
  const std::vector<unsigned>& nodes() const noexcept { return nodes_; }
  /// Returns the bandwidths given to by_bandwidth() or fastest().
  const std::vector<node_bandwidth>& bandwidths() const noexcept { return bandwidths_; }
  /// Returns the most bytes of an object that fastest() puts on a node; `unlimited` without a budget.
  std::size_t budget() const noexcept { return budget_; }
  /// Returns whether spread_by_kernel() made the policy.
  bool by_kernel() const noexcept { return by_kernel_; }
  /// Returns the size of pages.
  page_choice pages() const noexcept { return pages_; }
  /// Returns the order of nodes.
  node_order order() const noexcept { return order_; }

  /// Returns the policy in a few words: "first touch", "on node 4", "interleaved over nodes 0, 1".
  std::string text() const;

  /// Compares all properties.
  bool operator==(const placement&) const = default;

 private:
  explicit placement(policy kind) : kind_(kind) {}

  policy kind_ = policy::first_touch;
  page_choice pages_ = page_choice::automatic;
  node_order order_ = node_order::by_socket;
  bool by_kernel_ = false;
  std::size_t budget_ = unlimited;
  std::vector<unsigned> nodes_;
  std::vector<node_bandwidth> bandwidths_;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
