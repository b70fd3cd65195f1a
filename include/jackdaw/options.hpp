#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jackdaw/detail/export.hpp"
#include "jackdaw/detail/option_text.hpp"
#include "jackdaw/machine.hpp"

JACKDAW_EXPORT_BEGIN

namespace jackdaw {

/// The options of a runtime.
///
/// A member that keeps its default value is taken from the environment variable named below, if that is set and not
/// empty, and otherwise from the machine. The constructor of runtime, and configure(), check all members and throw
/// error for one that they cannot use. A variable that cannot be used is ignored: a line on stderr says so, once in a
/// process. docs/options.md lists all options and variables in a table.
struct options {
  /// The scheduler: one of scheduler_names(), or "cab:3" for "cab" with the boundary at level 3. Empty selects
  /// `$JACKDAW_SCHEDULER`, or "auto" without that.
  detail::option_text scheduler = {};
  /// The number of workers, 1 to 4096. 0 selects `$JACKDAW_WORKERS`, or machine::default_workers() without that.
  unsigned workers = 0;
  /// Whether workers are spread over the sockets or fill one socket after another. Without a value
  /// `$JACKDAW_ORDER` (scatter or compact) decides, or placement_order::scatter without that.
  std::optional<placement_order> order = {};
  /// Whether each worker is bound to its processor. Empty selects `$JACKDAW_PIN`, 0 or 1. Without that, workers are
  /// bound where their place decides what is near: if the machine has several L3 caches or memory nodes. Then each is
  /// bound to its processor if there are as many workers as cores, otherwise to the processors of its L3 cache, where
  /// workers of other programs leave it room. More workers than processors are never bound.
  std::optional<bool> pin = {};
  /// The size of a task's stack in bytes, 16 KiB to 1 GiB, rounded up to whole pages. Only pages that are used take
  /// memory. 0 selects `$JACKDAW_STACK_SIZE` (such as 256K), or 1 MiB without that.
  std::size_t stack_size = 0;
  /// The bytes that one iteration of the program works on, for schedulers that fit work into caches (Sd in the CAB
  /// paper). 0 selects `$JACKDAW_DATA_SIZE`; without that the scheduler learns it.
  std::uint64_t data_size = 0;
  /// The number of children that a task forks, 2 to 1024, for the scheduler "cab" (B in the CAB paper). 0 selects
  /// `$JACKDAW_BRANCHING`; without that the scheduler learns it.
  unsigned branching = 0;
  /// The order in which the scheduler "bats" fills memory nodes. "adjacent" goes socket by socket and fills the slower
  /// node of each socket before its faster one. "apart" fills the slower nodes of all sockets first. Empty selects
  /// `$JACKDAW_NODE_ORDER`, or "adjacent" without that.
  detail::option_text node_order = {};
  /// The file that receives the scheduler's events when the runtime ends (docs/events.md). Empty selects
  /// `$JACKDAW_EVENTS`; without that no events are kept.
  detail::option_text events = {};
  /// The file that receives the runtime's forks and joins when the runtime ends (docs/traces.md). A runtime that
  /// records runs its tasks on one worker in serial order; `workers` is then only the number that the program is told.
  /// Empty selects `$JACKDAW_RECORD`; without that nothing is recorded.
  detail::option_text record = {};
  /// Whether statistics::local_bytes and remote_bytes count all declared accesses. If not, they count those that are
  /// declared while a scheduler watches. False selects `$JACKDAW_COUNT_ACCESSES` (0 or 1), or false without that.
  bool count_accesses = false;
  /// Whether each task is on its thread again after each fork and each wait, as if every fork stood in tied(). A fork
  /// costs nothing more for it; after a theft a task waits until its own thread is free. Groups are help-first then.
  /// False selects `$JACKDAW_TIED` (0 or 1), or false without that.
  bool tied = false;
  /// The SQLite file that receives a record of what the runtime did when it ends (docs/stats.md): who ran what, which
  /// data each worker used, and where these were. Empty selects `$JACKDAW_STATS`; without that nothing is kept.
  detail::option_text stats = {};
  /// The file that receives what the workers did, as a Perfetto trace, when the runtime ends (docs/timeline.md). Empty
  /// selects `$JACKDAW_TRACE`; without that nothing is kept.
  detail::option_text trace = {};
};

}  // namespace jackdaw

JACKDAW_EXPORT_END
