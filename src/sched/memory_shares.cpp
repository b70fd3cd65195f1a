#include "sched/memory_shares.hpp"

#include <algorithm>
#include <tuple>

namespace jackdaw::sched {
namespace {

/// A slower node gets a worker if it gives the worker so many times as much.
constexpr double clearly_more = 1.1;
/// Workers work from other squads' nodes if memory takes so many times as long otherwise.
constexpr double clearly_longer = 1.05;
/// Such a worker gets at least this part of what it got. Others help it, but not with a task that it has begun.
constexpr double enough = 2.0 / 3;

/// What limits how fast all workers get one unit each from these nodes.
struct limits {
  double slowest = 0;         ///< the time of the node that takes longest
  double together = 0;        ///< the time if they help one another, so that none waits
  std::uint32_t node = none;  ///< the slowest one

  limits(const std::vector<node_crowd>& crowds, const std::vector<memory_node>& nodes) noexcept {
    double workers = 0, gives = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      workers += crowds[i].own + crowds[i].from;
      gives += crowds[i].gives(nodes[i]);
      const double its = crowds[i].time(nodes[i]);
      if (its <= slowest || crowds[i].own == 0) continue;
      slowest = its;
      node = i;
    }
    together = workers / gives;
  }
  double time() const noexcept { return std::max(slowest, together); }
};

}  // namespace

void memory_shares::start(const engine& on) {
  const std::vector<memory_node>& nodes = on.data.nodes();
  of_.assign(on.run.workers(), none);
  crowds_.assign(nodes.size(), {});
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
  level(nodes);
  for (const node_crowd& each : crowds_) used_ += each.own + each.from > 0 ? 1 : 0;
}

void memory_shares::divide(worker_range workers, const std::vector<std::uint32_t>& its, nodes_view nodes) {
  const auto gives = [&](std::uint32_t node) {
    return std::min(nodes[node].rate, nodes[node].bandwidth / (crowds_[node].own + 1));
  };
  for (worker_id each = workers.first; each <= workers.last; ++each) {
    std::uint32_t best = its.front();
    for (const std::uint32_t node : its) {
      if (nodes[best].rate > 0 && gives(node) > clearly_more * gives(best)) best = node;
    }
    ++crowds_[best].own;
    of_[each] = best;
  }
}

/// Workers of the slowest node work from other squads' nodes, one after another.
void memory_shares::level(nodes_view nodes) {
  const auto known = [](const memory_node& node) {
    return node.rate > 0 && node.far_rate > 0 && node.far_bandwidth > 0;
  };
  if (squads_.size() < 2 || !std::ranges::all_of(nodes, known)) return;
  const limits before(crowds_, nodes);
  const auto [crowds, of] = std::tuple(crowds_, of_);
  for (limits now = before; now.slowest > now.together && move_one(now.node, nodes);) now = {crowds_, nodes};
  if (before.time() > clearly_longer * limits(crowds_, nodes).time()) {
    matter_ = true;
  } else {
    std::tie(crowds_, of_) = std::tie(crowds, of);
  }
}

/// Has a worker of this node work from the node of another squad that gives it most, and is then less of a limit than
/// this one was. Returns whether there is one. Nodes to which others have come are as crowded as they should be.
bool memory_shares::move_one(std::uint32_t from, nodes_view nodes) {
  if (crowds_[from].from > 0) return false;
  const double slowest = crowds_[from].time(nodes[from]);
  std::uint32_t best = none;
  std::tuple most{enough * std::min(nodes[from].rate, 1 / slowest), -slowest};
  for (std::uint32_t to = 0; to < nodes.size(); ++to) {
    if (nodes[to].squad == none || nodes[to].squad == nodes[from].squad) continue;
    const double gives = crowds_[to].gives_far(nodes[to]);
    const double takes = node_crowd{crowds_[to].own, crowds_[to].from + 1}.time(nodes[to]);
    if (takes >= slowest || std::tuple(gives, -takes) <= most) continue;
    best = to;
    most = {gives, -takes};
  }
  if (best == none) return false;
  of_[neighbour(from, nodes[from].squad, nodes[best].squad)] = best;
  --crowds_[from].own;
  ++crowds_[best].from;
  return true;
}

/// Returns the worker of `squad` that works from this node and is next to the other squad.
worker_id memory_shares::neighbour(std::uint32_t node, std::uint32_t squad, std::uint32_t other) const noexcept {
  const worker_range of = squads_[squad];
  worker_id found = other > squad ? of.last : of.first;
  while (of_[found] != node) found += other > squad ? worker_id{0} - 1 : 1;
  return found;
}

std::uint32_t memory_shares::node_in(std::uint32_t squad, std::uint32_t index) const noexcept {
  if (squad >= squads_.size()) return none;
  const worker_range workers = squads_[squad];
  return of_[workers.first + index % (workers.last - workers.first + 1)];
}

}  // namespace jackdaw::sched
