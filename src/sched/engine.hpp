#pragma once

#include "sched/data_mover.hpp"
#include "sched/task_runner.hpp"
#include "sched/work_counter.hpp"

namespace jackdaw::sched {

/// What runs a scheduler, be it threads or a simulation, as the scheduler sees it: three interfaces, of which most
/// schedulers use the first alone.
struct engine {
  task_runner& run;
  work_counter& count;
  data_mover& data;
};

}  // namespace jackdaw::sched
