#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/machine.hpp"

namespace jackdaw::numa {

/// A memory node as a placement sees it.
struct node_view {
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  unsigned os = 0;
  unsigned socket = 0;  ///< nodes with the same number belong together; ascending as workers are numbered
  bool cpu_less = false;
  bool allowed = true;
  std::uint64_t room = no_limit;  ///< bytes that fit there now; no_limit: unknown
  std::optional<double> bandwidth = {};
  std::string kind = {};
  std::vector<unsigned> cpus = {};    ///< usable CPUs of the node: a pinned touch from one of them lands here
  std::vector<unsigned> nearby = {};  ///< usable CPUs nearest to the node
};

/// From the name of the node's kind (HBM, MCDRAM).
bool calls_itself_fast(const node_view& node) noexcept;

/// All nodes of a machine, ascending by number.
struct memory_view {
  std::vector<node_view> nodes = {};
  bool real = false;      ///< the nodes are this computer's, so that memory can be placed on them
  bool measured = false;  ///< the bandwidths were measured, not declared by the firmware

  /// The node with this number, which must be one of them.
  const node_view& node(unsigned os) const;
};

enum class memory_kind : std::uint8_t { dram, hbm, cxl };

/// The kind of a node of `among`: the kind that it names, if it names one. Otherwise a node without processors is HBM
/// if its bandwidth is above that of the fastest node with processors, and CXL memory if it is below. All others are
/// DRAM.
memory_kind kind_of(const node_view& node, const memory_view& among) noexcept;

/// `allowed`: numbers of the nodes that may be used; nullopt: all.
memory_view view_of(const machine& where, const std::optional<std::vector<unsigned>>& allowed);

/// The current view: the nodes of the machine that this process may use, and their free memory.
memory_view view_now(const machine& where);

}  // namespace jackdaw::numa
