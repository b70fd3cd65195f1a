#pragma once

#include <cstdint>
#include <string>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/hotness_source.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// What the scheduler of a runtime has done with the program's data.
///
/// All members keep their initial values under schedulers that place no data. The watch is the period in which the
/// scheduler observes which data are used most. docs/memory.md, "How hot data is", has the details.
/// @par Source
/// BATS (2018) moves hot data between memory nodes.
struct data_report {
  hotness_source watched_by = hotness_source::none;  ///< How the data was observed in the most recent watch.
  std::uint32_t areas = 0;                           ///< Areas that the data was divided into in the most recent watch.
  std::uint32_t sweeps = 0;                          ///< Sweeps over accessed bits in the most recent watch.
  std::uint64_t samples = 0;                         ///< Address samples that fell into areas in the most recent watch.
  /// Address samples that were lost in the most recent watch because a buffer was full, as far as the kernel reports
  /// them.
  std::uint64_t lost_samples = 0;
  int bits_refused = 0;      ///< The errno if accessed bits cannot be read; 0 if they can, or were never needed.
  int touch_refused = 0;     ///< The errno if set_mempolicy is refused; 0 if it is allowed, or was never needed.
  std::uint64_t moved = 0;   ///< Bytes moved to other nodes so far.
  std::uint64_t failed = 0;  ///< Bytes that should have moved and stayed where they were.
  unsigned failed_node = 0;  ///< The node that the most recent failed move should have reached.
  int move_error = 0;        ///< The errno of that move: ENOMEM (the node is full), EBUSY, EPERM or another one.
  double watch_seconds = 0;  ///< Seconds that workers spent on starting and ending watches.
  double sweep_seconds = 0;  ///< Seconds of processor time that sweeps took, most of it on a thread beside the workers.
  double move_seconds = 0;   ///< Seconds that workers spent on moving data.

  /// Describes in one line what was refused or failed; empty if nothing was.
  std::string text() const;
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
