#pragma once

#include <cstdint>

#include "analysis/tiers.hpp"

namespace jackdaw::analysis {

/// Workers in the papers' bounds: m squads, one per socket, of n workers each.
struct squad_count {
  unsigned squads = 1;   ///< m; M in CAB
  unsigned workers = 1;  ///< n; N in CAB
};

/// ns: T1/P + T-infinity, for plain stealing among P workers (Blumofe and Leiserson; LAWS Eq. 8 and 9 use it of a
/// tier).
double plain_time_bound(const tiers& of, unsigned workers) noexcept;

/// ns: T1(free)/m + T1(local)/(m n) + sum of the subtrees' T-infinity / m + T-infinity. LAWS Eq. 13 as printed, and CAB
/// Eq. 12, which CAB's Eq. 13 gives without the third term, up to a constant.
///
/// It assumes subtrees of such numbers and sizes that squads can share them: Eq. 10 has T-infinity(local), a length in
/// nodes. Its derivation has the longest chain of subtrees instead, and each of these takes its squad T1/n +
/// T-infinity. With one subtree of work W, or one much larger than the others, the bound allows W/(m n), which one
/// squad cannot reach.
double printed_time_bound(const tiers& of, const squad_count& crew) noexcept;

/// The same, with the time that a squad needs for a subtree as the subtree's length in T-infinity
/// (tiers::squad_critical_path). It follows from Eq. 7 to 10 for every tree and every scheduler that leaves no squad
/// idle while a task is in some pool.
double squad_time_bound(const tiers& of, const squad_count& crew) noexcept;

/// Frames: max(k, m n) S1, LAWS and CAB Eq. 15, with k = tiers::pooled. The papers count only the tops, as if no task
/// above the boundary were a leaf; each such leaf also takes a frame from its fork on. Without such leaves this is Eq.
/// 14.
std::uint64_t space_bound(const tiers& of, const squad_count& crew) noexcept;

}  // namespace jackdaw::analysis
