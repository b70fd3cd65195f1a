#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace jackdaw {

/// What a memory node's bandwidth is, in any unit as long as all nodes' are in the same one. Nodes have the operating
/// system's numbers, as in `numactl --hardware` and machine::node::os_index.
struct node_bandwidth {
  unsigned node = 0;
  double bandwidth = 0;

  bool operator==(const node_bandwidth&) const = default;
};

/// In which order an object's consecutive pieces go to memory nodes.
enum class node_order : std::uint8_t {
  /// All nodes of one socket after another, in the order in which the running scheduler gives a loop's blocks to
  /// sockets, so that each socket finds its blocks in its own nodes (its DRAM, then its HBM).
  by_socket,
  by_number,  ///< ascending by the operating system's number: usually all DRAM, then all HBM
  as_given,   ///< as the user's list has them
};

/// The pages that an object is made of.
enum class page_choice : std::uint8_t {
  automatic,  ///< huge ones if every node's or worker's part is at least 16 of them, else base ones
  base,       ///< the smallest there are (4 KiB on x86); boundaries between nodes are exact to one of these
  huge,       ///< transparent huge pages (2 MiB on x86) where the kernel has them and the object is as large
};

/// Where an object's memory is to be: a value that a placed container keeps and applies again when it grows.
class placement {
 public:
  enum class policy : std::uint8_t { first_touch, on, interleave, by_bandwidth, fastest };

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// Each page where the worker is that runs that part of a loop over the object; all workers touch at once.
  placement() = default;
  static placement first_touch() { return {}; }
  /// On one node. What does not fit there the kernel puts on the nearest nodes with room.
  static placement on(unsigned node);
  /// Page by page in turn over these nodes, or over all that this process may use. Throws error for a node named twice.
  static placement interleave(std::vector<unsigned> nodes = {});
  /// One contiguous piece on each node, as long as its part of the bandwidth of all (BATS Eq. 1 and 2); what a node has
  /// no room for goes to the others in the same proportion. Bandwidths: these, else those that the firmware declares,
  /// else all nodes count alike and the report says that nobody knows. Throws error for a node named twice and for a
  /// bandwidth that is not a positive number.
  static placement by_bandwidth(std::vector<node_bandwidth> bandwidths = {});
  /// On the nodes of the highest bandwidth as far as there is room, what is left on those of the next, and so on. Nodes
  /// within 10% of each other share alike. `budget`: bytes of this object that a node takes at most, but for the
  /// slowest nodes, which take what is left. Where no bandwidths are known, nodes that call themselves HBM or MCDRAM
  /// come first and CXL ones last.
  static placement fastest(std::size_t budget = unlimited, std::vector<node_bandwidth> bandwidths = {});

  /// by_bandwidth, but page by page in the proportion that the administrator has set for the whole computer in
  /// /sys/kernel/mm/mempolicy/weighted_interleave; contiguous pieces where the kernel cannot (before Linux 6.9).
  /// Throws error for other policies.
  placement spread_by_kernel() const;
  placement with_pages(page_choice pages) const;
  placement with_order(node_order order) const;

  policy kind() const noexcept { return kind_; }
  const std::vector<unsigned>& nodes() const noexcept { return nodes_; }  ///< of on() and interleave(); empty: all
  const std::vector<node_bandwidth>& bandwidths() const noexcept { return bandwidths_; }
  std::size_t budget() const noexcept { return budget_; }
  bool by_kernel() const noexcept { return by_kernel_; }
  page_choice pages() const noexcept { return pages_; }
  node_order order() const noexcept { return order_; }

  /// "first touch", "on node 4", "interleaved over nodes 0, 1", ...
  std::string text() const;

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

#pragma GCC visibility pop
