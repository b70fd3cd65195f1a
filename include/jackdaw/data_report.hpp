#pragma once

#include <cstdint>
#include <string>

#include "jackdaw/hotness_source.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// What the scheduler of a runtime has done about the program's data (docs/memory.md). Schedulers that leave data alone
/// leave it empty.
struct data_report {
  hotness_source watched_by = hotness_source::none;  ///< how the data was watched last
  std::uint32_t areas = 0;                           ///< that it was divided into then
  std::uint32_t sweeps = 0;                          ///< over accessed bits then
  std::uint64_t samples = 0;                         ///< of addresses then, in areas
  std::uint64_t lost_samples = 0;                    ///< for which there was no room then, as far as known
  int bits_refused = 0;      ///< errno if accessed bits cannot be had; 0: they can, or nobody asked
  int touch_refused = 0;     ///< errno if first touches cannot be sent to a node (set_mempolicy); 0 as above
  std::uint64_t moved = 0;   ///< bytes moved to other nodes so far
  std::uint64_t failed = 0;  ///< bytes that were to move, and stayed where they were
  unsigned failed_node = 0;  ///< where the last of these should have gone
  int move_error = 0;        ///< errno of that: ENOMEM (the node is full), EBUSY, EPERM...
  double watch_seconds = 0;  ///< spent by workers in beginning and ending to watch
  double sweep_seconds = 0;  ///< of a processor, that sweeps took, most of it beside the workers
  double move_seconds = 0;   ///< spent by workers in moving

  /// What was refused or failed; one line, empty if nothing was.
  std::string text() const;
};

}  // namespace jackdaw

#pragma GCC visibility pop
