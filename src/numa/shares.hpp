#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::numa {

/// How many of `units` go to each node, in the nodes' order: consecutive units s to e, both included, with
/// s = ceil(units * (B_1 + ... + B_(i-1)) / B) and e = ceil(units * (B_1 + ... + B_i) / B) - 1 (BATS Eq. 2, which
/// keeps Eq. 1 to within one unit). Bandwidths are positive and finite; there is at least one.
std::vector<std::uint64_t> shares_by_bandwidth(std::uint64_t units, const std::vector<double>& bandwidths);

/// A division among nodes, and the rest for which no node has room.
struct fitted_shares {
  std::vector<std::uint64_t> units = {};
  std::uint64_t left = 0;
};

/// `wanted`, with no node above its `room`. The excess goes to nodes with room left, in proportion to their bandwidth,
/// until all are full.
fitted_shares fit(std::vector<std::uint64_t> wanted, const std::vector<double>& bandwidths,
                  const std::vector<std::uint64_t>& room);

/// Fills the nodes of the first tier evenly, then those of the second, ... `tiers` has each node's tier, counted from
/// 0.
fitted_shares fill_by_tiers(std::uint64_t units, const std::vector<unsigned>& tiers,
                            const std::vector<std::uint64_t>& room);

/// Tiers by bandwidth: a node belongs to a tier if it has at least 0.9 of the bandwidth of the tier's fastest node.
std::vector<unsigned> tiers_of(const std::vector<double>& bandwidths);

}  // namespace jackdaw::numa
