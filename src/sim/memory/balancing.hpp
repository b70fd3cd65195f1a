#pragma once

#include <cstdint>

namespace jackdaw::sim {

/// What it took to find out which data are hot and to move them, so far.
struct balancing_cost {
  std::uint64_t sampled = 0;  ///< pages
  double watching = 0;        ///< ns of the worker that asked
  std::uint64_t moved = 0;    ///< bytes
  double moving = 0;          ///< ns in which the worker that asked waited for that

  /// What is declared rather than simulated, in ns. A look at whether a page has been accessed takes 3 us, for so long
  /// it takes the paper's machine (BATS 6.1: a million pages in 3 s). Four cores do nothing else while pages are
  /// watched (8.1), and look at one after another; what follows waits until the last round has ended.
  static constexpr double look = 3'000;
  static constexpr double lookers = 4;
  /// Taking a page out of the page tables and entering it again, all cores being told; copying it comes on top.
  static constexpr double remap = 2'000;
};

}  // namespace jackdaw::sim
