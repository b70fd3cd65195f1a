#include "sim/simulated_counts.hpp"

namespace jackdaw::sim {

sched::counts simulated_counts::counts_of(sched::worker_id who) {
  const worker& of = crew_[who];
  sched::counts sum = cores_.any() ? of.own : of_core(of.core);
  sum.instructions = static_cast<std::uint64_t>(of.counts.instructions);
  return sum;
}

sched::counts simulated_counts::of_core(unsigned core) const {
  const memory_counters& data = memory_.counters(core);
  sched::counts sum{.misses = data.private_misses};
  for (unsigned node = 0; node < machine_.nodes.size(); ++node) {
    const bool local = machine_.nodes[node].socket == machine_.socket_of(core);
    (local ? sum.local : sum.remote) += data.from_node[node] / cache::line;
  }
  return sum;
}

}  // namespace jackdaw::sim
