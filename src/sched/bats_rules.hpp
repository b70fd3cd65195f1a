#pragma once

#include <cstdint>

namespace jackdaw::sched {

/// Where `bats` departs from the paper. README-bats.md gives the reasons.
struct bats_rules {
  /// The most areas that are watched; up to here there is one for each leaf (BATS 6.1). Simulated, with 768 the watch
  /// costs 1.0 to 1.5% of 200 iterations of the paper's programs on data a 64th of the paper's; with 512 PageRank takes
  /// 12% longer.
  std::uint32_t areas = 768;
  /// The number of iterations that are watched. Two, because one iteration alone sees half of the data as cold if two
  /// arrays are read and written in turn.
  unsigned watched = 2;
  /// The most times that data move if the times change for good again and again.
  unsigned balances = 4;
  /// The most squads on which a subgraph is tried, the nearest to the node of its span first.
  std::uint32_t rounds = 4;
  /// Whether the paper's text is followed in all else, too: a subgraph has ten tasks a core, however few subgraphs that
  /// makes; no region counts as CPU-bound; Algorithm 1 moves what it says (balancing::printed); a worker searches all
  /// of its squad before its squad's pools, takes their oldest, and asks other squads from a random one on.
  bool printed = false;

  static constexpr bats_rules as_printed() noexcept {
    return {.areas = ~std::uint32_t{0}, .watched = 1, .balances = 1, .rounds = ~std::uint32_t{0}, .printed = true};
  }
};

}  // namespace jackdaw::sched
