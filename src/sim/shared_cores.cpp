#include "sim/shared_cores.hpp"

#include <algorithm>

namespace jackdaw::sim {

void shared_cores::advance(core_state& of, double now) const noexcept {
  if (!of.busy.empty()) {
    const double done = (now - of.since) * speed(of.busy.size());
    for (task& each : of.busy) each.left = std::max(0.0, each.left - done);
  }
  of.since = now;
}

void shared_cores::enter(unsigned core, sched::worker_id who, double work, double now) {
  advance(cores_[core], now);
  cores_[core].busy.push_back({who, work});
}

void shared_cores::leave(unsigned core, sched::worker_id who, double now) {
  advance(cores_[core], now);
  std::erase_if(cores_[core].busy, [who](const task& each) { return each.who == who; });
}

}  // namespace jackdaw::sim
