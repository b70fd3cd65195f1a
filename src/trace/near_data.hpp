#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/task_tree.hpp"

namespace jackdaw::trace {

/// The data that a piece of work declares while it is recorded. Brings them into the caches of the recording core, so
/// that the time of the piece is computing alone. Data that do not fit the private cache cannot be brought there. Then
/// it measures how long the core waits for them.
class near_data {
 public:
  /// The piece accesses this too. Populates its pages and brings everything so far near.
  void add(const access& what) noexcept;
  /// Returns the ns that reading everything once, in order, takes longer than if it were in the private cache. If data
  /// were added since that was measured, it is assumed to have grown with them.
  double stall() const noexcept {
    return measured_ == 0 ? 0 : stall_ * static_cast<double>(bytes_) / static_cast<double>(measured_);
  }
  /// The piece has ended.
  void clear() noexcept;

 private:
  /// Addresses from first to before end.
  struct run {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };

  void insert(const access& what);
  void measure_stall();
  static void read(std::span<const run> what) noexcept;

  std::vector<run> runs_;       ///< those of the last measurement are first, ascending and apart from each other
  std::uint64_t bytes_ = 0;     ///< declared; what was declared twice counts twice
  std::uint64_t measured_ = 0;  ///< how many of them when stall_ was measured last
  double stall_ = 0;
  bool readable_ = true;  ///< the system has populated all pages
};

}  // namespace jackdaw::trace
