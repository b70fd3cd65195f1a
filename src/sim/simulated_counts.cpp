#include "sim/simulated_counts.hpp"

namespace jackdaw::sim {

sched::counts simulated_counts::counts_of(sched::worker_id who) {
  constexpr double instructions_per_ns = 2;  // assumed, of the machine's cores
  const worker& of = crew_[who];
  const memory_counters& data = memory_.counters(of.core);
  sched::counts sum{.misses = data.private_misses,
                    .instructions = static_cast<std::uint64_t>(of.counts.computing * instructions_per_ns)};
  for (unsigned node = 0; node < machine_.nodes.size(); ++node) {
    (machine_.nodes[node].socket == of.socket ? sum.local : sum.remote) += data.from_node[node] / cache::line;
  }
  return sum;
}

}  // namespace jackdaw::sim
