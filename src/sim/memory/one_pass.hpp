#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/address_space.hpp"

namespace jackdaw::sim {

/// Orders the accesses of a leaf whose data do not fit its private cache. A loop that updates data in place reads and
/// writes them in one pass, and so fetches them once, however its accesses are declared. So accesses whose ranges
/// overlap are made together, in the order of addresses, reads first. The others stay in their order.
class one_pass {
 public:
  /// Returns `accesses` themselves if none overlap. Otherwise what is returned is valid until the next call.
  std::span<const dense_access> order(std::span<const dense_access> accesses);

  /// Returns the size of its arrays in bytes.
  std::size_t footprint() const noexcept;

 private:
  /// Accesses that touch [first, end) together; alone if `count` is 1.
  struct group {
    std::uint64_t end = 0;
    std::size_t count = 0;
    std::size_t earliest = 0;  ///< the smallest index of them
    std::size_t begin = 0;     ///< where they stand in by_address_
  };

  void add_pieces(const dense_access& of);

  std::vector<std::size_t> by_address_;
  std::vector<group> groups_;
  std::vector<dense_access> ordered_;
};

}  // namespace jackdaw::sim
