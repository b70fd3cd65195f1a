#pragma once

#include <cstddef>
#include <cstdint>

#include "jackdaw/detail/option_text.hpp"
#include "jackdaw/machine.hpp"

#pragma GCC visibility push(default)

namespace jackdaw {

/// How a runtime is set up. What is left alone comes from the environment, and else from the machine.
struct options {
  /// One of scheduler_names(), or "cab:3" for "cab" with boundary level 3. Empty: $JACKDAW_SCHEDULER, else "adws".
  detail::option_text scheduler = {};
  /// 1 to 4096. 0: $JACKDAW_WORKERS, else one for each usable physical core.
  unsigned workers = 0;
  /// Over the sockets evenly, or one socket after another.
  placement_order order = placement_order::scatter;
  /// Binds each worker to its processor. $JACKDAW_PIN=0 turns it off; so does having more workers than processors.
  bool pin = true;
  /// Bytes of a task's stack, 16 KiB to 1 GiB; rounded up to whole pages. Only pages that are used take memory.
  std::size_t stack_size = 1024 * 1024;
  /// Bytes that one iteration of the program works on, for schedulers that fit work into caches (CAB's Sd). 0:
  /// $JACKDAW_DATA_SIZE, else it is learned.
  std::uint64_t data_size = 0;
  /// Children that a task forks, 2 to 1024, for "cab" (its B). 0: $JACKDAW_BRANCHING, else it is learned.
  unsigned branching = 0;
  /// For "bats": "adjacent" lays data out socket by socket, on the slower memory node of each before its faster one;
  /// "apart" on the slower nodes of all sockets first. Empty: $JACKDAW_NODE_ORDER, else "adjacent".
  detail::option_text node_order = {};
  /// File that the scheduler's events are written to when the runtime ends (docs/events.md). Empty: $JACKDAW_EVENTS,
  /// else none are kept.
  detail::option_text events = {};
  /// File that the runtime's forks and joins are written to when it ends (docs/traces.md). Its tasks then run on one
  /// worker in serial order, while `workers` is what the program is told. Empty: $JACKDAW_RECORD, else no recording.
  detail::option_text record = {};
};

}  // namespace jackdaw

#pragma GCC visibility pop
