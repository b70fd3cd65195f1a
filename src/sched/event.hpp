#pragma once

#include <cstdint>

#include "sched/engine.hpp"
#include "sched/scheduler.hpp"

namespace jackdaw::sched {

/// An event of a scheduler's log: something that it was told, answered, looked for or decided.
struct event {
  enum class kind : std::uint8_t {
    root,    ///< a task has come from outside and was placed
    fork,    ///< a child was placed
    start,   ///< a placed task starts, or resumes in the upper tier
    open,    ///< a task of the upper tier opens a group
    wait,    ///< it waits for one
    close,   ///< a group's children have ended, and its task was placed
    end,     ///< a placed task has ended
    look,    ///< a worker begins to look for work
    pop,     ///< a look into the worker's own deque
    steal,   ///< a look into worker `other`'s deque
    take,    ///< a look into pool `other`
    rescue,  ///< the worker took something that had waited for another one for too long, and starts it next
    decide,  ///< the scheduler has decided something
  };

  std::uint64_t order = 0;  ///< ascending over all events of a runtime or a simulation, with gaps
  double at = 0;            ///< task_runner::now
  worker_id worker = 0;     ///< meaningless for `root`
  kind what = kind::root;
  bool found = false;       ///< of a look
  bool packed = false;      ///< of a task: it is the top of a subtree that a squad runs by itself
  bool inter = false;       ///< of a task: the program calls it an inter-socket task
  std::uint32_t other = 0;  ///< the victim, or a pool
  std::uint64_t task = 0;   ///< its number, from 1; for a group's events, that of the group's task
  std::uint64_t parent = 0;
  std::uint64_t site = 0;             ///< of a group's events
  destination where;                  ///< of a root, a fork or a close
  const decision* decided = nullptr;  ///< of a decision
  std::int64_t value = 0;
};

}  // namespace jackdaw::sched
