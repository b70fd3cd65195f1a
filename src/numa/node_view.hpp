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
  std::uint64_t room = no_limit;  ///< bytes that fit there now; no_limit: nobody knows
  std::optional<double> bandwidth = {};
  std::string kind = {};
  std::vector<unsigned> cpus = {};    ///< that may be used and are on it: a pinned touch from one of them lands here
  std::vector<unsigned> nearby = {};  ///< that may be used and are the nearest to it
};

/// By the name of its kind (HBM, MCDRAM).
bool calls_itself_fast(const node_view& node) noexcept;

/// All nodes of a machine, ascending by number.
struct memory_view {
  std::vector<node_view> nodes = {};
  bool real = false;      ///< they are this computer's: something can be placed there
  bool measured = false;  ///< the bandwidths are not what the firmware declares
};

enum class memory_kind : std::uint8_t { dram, hbm, cxl };

/// What a node of `among` is: what it calls itself; else a node without processors that has another bandwidth than the
/// fastest node with some is HBM if it is more and CXL memory if it is less; else DRAM.
memory_kind kind_of(const node_view& node, const memory_view& among) noexcept;

/// `allowed`: numbers of the nodes that may be used; none: all.
memory_view view_of(const machine& where, const std::optional<std::vector<unsigned>>& allowed);

/// What is there now: the nodes of the machine that this process may use, and their free memory.
memory_view view_now(const machine& where);

}  // namespace jackdaw::numa
