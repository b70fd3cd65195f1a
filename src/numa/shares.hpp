#pragma once

#include <cstdint>
#include <vector>

namespace jackdaw::numa {

/// How many of `units` go to each node, in the nodes' order: consecutive units s to e, both included, with
/// s = ceil(units * (B_1 + ... + B_(i-1)) / B) and e = ceil(units * (B_1 + ... + B_i) / B) - 1 (BATS Eq. 2, which
/// keeps Eq. 1 to within one unit). Bandwidths are positive and finite; there is at least one.
std::vector<std::uint64_t> shares_by_bandwidth(std::uint64_t units, const std::vector<double>& bandwidths);

/// A division among nodes, and what none of them has room for.
struct fitted_shares {
  std::vector<std::uint64_t> units = {};
  std::uint64_t left = 0;
};

/// `wanted`, but no node gets more than its `room`: the rest goes to the nodes that have some, in proportion to their
/// bandwidth, as long as there are such.
fitted_shares fit(std::vector<std::uint64_t> wanted, const std::vector<double>& bandwidths,
                  const std::vector<std::uint64_t>& room);

/// Fills the nodes of the first tier evenly, then those of the second, ... `tiers` says of each node which it is in,
/// from 0 on.
fitted_shares fill_by_tiers(std::uint64_t units, const std::vector<unsigned>& tiers,
                            const std::vector<std::uint64_t>& room);

/// Tiers by bandwidth: a node is in the same tier as the fastest one of it when it has at least 0.9 of its bandwidth.
std::vector<unsigned> tiers_of(const std::vector<double>& bandwidths);

}  // namespace jackdaw::numa
