#include "sched/memory_shares.hpp"

#include <algorithm>
#include <tuple>

namespace jackdaw::sched {
namespace {

/// A slower node gets a worker if it gives the worker so many times as much.
constexpr double clearly_more = 1.1;

}  // namespace

void memory_shares::start(const engine& on) {
  const std::vector<memory_node>& nodes = on.data.nodes();
  of_.assign(on.run.workers(), none);
  const std::vector<squad>& squads = on.run.squads();
  for (std::uint32_t number = 0; number < squads.size(); ++number) {
    squads_.push_back(squads[number].workers);
    std::vector<std::uint32_t> its;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].squad == number) its.push_back(node);
    }
    if (its.empty()) continue;
    std::ranges::sort(its, {},
                      [&](std::uint32_t node) { return std::tuple(!nodes[node].fast, -nodes[node].bandwidth, node); });
    matter_ = matter_ || its.size() > 1;
    divide(squads[number].workers, its, nodes);
  }
}

void memory_shares::divide(worker_range workers, const std::vector<std::uint32_t>& its,
                           const std::vector<memory_node>& nodes) {
  std::vector<double> on(its.size());  // workers
  const auto gives = [&](std::size_t i) {
    const memory_node& node = nodes[its[i]];
    return std::min(node.rate, node.bandwidth / (on[i] + 1));
  };
  for (worker_id each = workers.first; each <= workers.last; ++each) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < its.size(); ++i) {
      if (nodes[its[best]].rate > 0 && gives(i) > clearly_more * gives(best)) best = i;
    }
    if (++on[best] == 1) ++used_;
    of_[each] = its[best];
  }
}

std::uint32_t memory_shares::node_in(std::uint32_t squad, std::uint32_t index) const noexcept {
  if (squad >= squads_.size()) return none;
  const worker_range workers = squads_[squad];
  return of_[workers.first + index % (workers.last - workers.first + 1)];
}

}  // namespace jackdaw::sched
