#pragma once

#include <cstdint>

namespace jackdaw::sim {

/// The cost, so far, of finding out which data are hot and of moving them.
struct balancing_cost {
  std::uint64_t sampled = 0;  ///< pages
  double watching = 0;        ///< ns of the worker that asked
  std::uint64_t moved = 0;    ///< bytes
  double moving = 0;          ///< ns in which the worker that asked waited for the move

  /// Costs that are declared rather than simulated, in ns. A look at whether a page has been accessed takes 3 us, as on
  /// the paper's machine (BATS 6.1: a million pages in 3 s). Four cores do nothing else while pages are watched (8.1),
  /// and look at one page after another. What follows waits until the last round has ended.
  static constexpr double look = 3'000;
  static constexpr double lookers = 4;
  /// The least time between two rounds of looks at accessed bits, as on threads (profile::sweeper).
  static constexpr double rest = 1'000'000;
  /// The cost of removing a page from the page tables, telling all cores, and entering it again. Copying it is extra.
  static constexpr double remap = 2'000;
};

}  // namespace jackdaw::sim
