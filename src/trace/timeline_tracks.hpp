#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "trace/timeline.hpp"

namespace jackdaw::trace {

/// Something on a track: where a slice begins or ends, or an instant.
struct mark {
  enum class type : std::uint8_t { begin, end, instant };
  enum class label : std::uint8_t {
    root,       ///< on a worker's track: it runs a task, `of`, which begins; `task` tells its span
    placed,     ///< the same of a task that the scheduler has placed
    task,       ///< the same of a task that the scheduler does not know
    resumed,    ///< the same of a task that resumes
    search,     ///< it looks for work
    sleep,      ///<
    stolen,     ///< worker `of->worker` has stolen from it
    ready,      ///< what the task on stack `number` waited for has ended on it
    move,       ///< it moves data
    dropped,    ///< `number` earlier events are not in the file
    on_worker,  ///< on a stack's track: its task runs on worker `number`
    waits,      ///< it is suspended, for the reason that this and the next two tell
    makes_way,
    gives_way,
    root_whole,  ///< on a track of roots: a root from its beginning to its end
    iteration,   ///< its iteration `number` of a region
    region,      ///< it is in a region
    decision,    ///< on the scheduler's track
  };

  std::uint64_t at = 0;
  type is = type::instant;
  label what = label::task;
  const worker_event* of = nullptr;
  const worker_event* from = nullptr;  ///< how the worker has got the task: its last steal or take before `of`
  const worker_event* task = nullptr;
  std::uint64_t number = 0;
  bool cut = false;               ///< of an end: the slice had not ended when the file was written
  std::uint64_t out = 0, in = 0;  ///< flows that begin and end here, from 1; 0: none
  std::uint64_t woken = 0;        ///< one more flow that ends here
};

/// A row of the picture, with its marks in the order of their times. Slices on it nest, and each has an end.
struct timeline_track {
  enum class kind : std::uint8_t { worker, roots, scheduler, stack };
  kind of = kind::worker;
  std::string name;
  std::int64_t thread = 0;  ///< of a worker
  std::vector<mark> marks;
};

/// Calls take(track) for each track of a runtime, and makes the next one when it returns. The marks refer to the events
/// in `what`.
void for_each_track(const timeline_view& what, const std::function<void(timeline_track)>& take);

}  // namespace jackdaw::trace
