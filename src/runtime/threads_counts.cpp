#include "runtime/threads_counts.hpp"

#include "runtime/profiler.hpp"
#include "runtime/threads_data.hpp"
#include "runtime/worker.hpp"

namespace jackdaw::detail {

sched::evidence threads_counts::profile(sched::worker_id self, bool on) {
  if (on) data_.forget_homes();
  return profiler_.listen(self, on);
}

sched::counts threads_counts::counts_of(sched::worker_id who) {
  if (const worker* const self = this_worker(); self != nullptr && &self->home == &home_ && self->id == who) {
    profiler_.read(who);
  }
  sched::counts last = profiler_.last(who);
  if (!profiler_.counts_memory()) {
    last.local = data_.local(who);
    last.remote = data_.remote(who);
  }
  return last;
}

bool threads_counts::sees_memory() const noexcept { return profiler_.counts_memory(); }

void threads_counts::rely_on(sched::evidence on) noexcept {
  const profile_source source = on == sched::evidence::counters    ? profile_source::counters
                                : on == sched::evidence::data_size ? profile_source::data_size
                                                                   : profile_source::declared;
  profiled_by_.store(source, std::memory_order_relaxed);
}

}  // namespace jackdaw::detail
