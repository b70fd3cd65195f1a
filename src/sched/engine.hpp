#pragma once

#include "sched/data_mover.hpp"
#include "sched/task_runner.hpp"
#include "sched/work_counter.hpp"

namespace jackdaw::sched {

/// A scheduler's view of the engine that runs it, be it threads or a simulation: three interfaces, of which most
/// schedulers use only the first.
struct engine {
  task_runner& run;
  work_counter& count;
  data_mover& data;
};

}  // namespace jackdaw::sched
