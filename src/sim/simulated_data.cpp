#include "sim/simulated_data.hpp"

#include <algorithm>
#include <limits>

namespace jackdaw::sim {

void simulated_data::find_nodes() {
  for (unsigned id = 0; id < machine_.nodes.size(); ++id) {
    if (!allowed_.empty() && std::find(allowed_.begin(), allowed_.end(), id) == allowed_.end()) continue;
    node_ids_.push_back(id);
    const machine_model::memory_node& node = machine_.nodes[id];
    nodes_.push_back({.bandwidth = node.bandwidth, .rate = node.rate > 0 ? node.rate : machine_.local_rate});
    for (std::uint32_t number = 0; number < squads_.size(); ++number) {
      if (crew_[squads_[number].workers.first].socket == node.socket) nodes_.back().squad = number;
    }
    find_farthest(id, nodes_.back());
  }
  const bool known = std::all_of(nodes_.begin(), nodes_.end(), [](const auto& each) { return each.bandwidth > 0; });
  for (sched::memory_node& each : nodes_) {
    if (!known) {
      each.bandwidth = 1;
      each.rate = each.far_rate = each.far_bandwidth = 0;
    }
    each.fast = std::any_of(nodes_.begin(), nodes_.end(), [&](const sched::memory_node& other) {
      return known && other.squad == each.squad && other.bandwidth < each.bandwidth;
    });
  }
}

/// What the squads of other sockets get of a node.
void simulated_data::find_farthest(unsigned id, sched::memory_node& node) const noexcept {
  double rate = std::numeric_limits<double>::infinity(), bandwidth = rate;
  for (const sched::squad& each : squads_) {
    const unsigned socket = crew_[each.workers.first].socket;
    if (socket == machine_.nodes[id].socket) continue;
    const std::uint16_t way = ways_.memory(id, socket);
    rate = std::min(rate, ways_[way].rate);
    for (const std::uint16_t step : ways_.steps(way)) bandwidth = std::min(bandwidth, ways_.resources()[step].capacity);
  }
  if (rate == std::numeric_limits<double>::infinity()) return;
  node.far_rate = rate;
  node.far_bandwidth = bandwidth;
}

void simulated_data::touch_to(sched::worker_id self, std::uint32_t node) noexcept {
  crew_[self].touches = node < node_ids_.size() ? node_ids_[node] : pages::none;
}

void simulated_data::watch(sched::worker_id self, std::uint32_t parts) {
  memory_.users().end();
  lose_lookers(crew_[self]);
  watched_since_ = now_;
  sampled_ = true;
  page_heat& heat = memory_.heat();
  heat.begin(memory_.placement().size(), std::max(parts, 1U), seed_, sees_);
  // As on threads (profile::sweeper): one thread looks at one page after another, and rests between its rounds.
  const double round = static_cast<double>(heat.sampled()) * balancing_cost::look;
  heat.look_every(round + std::max(balancing_cost::rest, 3 * round), now_);
}

double simulated_data::lookers() const noexcept {
  return std::min(balancing_cost::lookers, static_cast<double>(crew_.size()));
}

/// If data has been watched, the cores that looked at pages had no time for tasks. The worker that asks is charged for
/// the work that they missed.
void simulated_data::lose_lookers(worker& asking) {
  if (!memory_.heat().watching()) return;
  const double lost = (now_ - watched_since_) * lookers() / static_cast<double>(crew_.size());
  asking.spent += lost;
  cost_.watching += lost;
}

/// A declared access costs its worker a few ns, which are not simulated.
void simulated_data::watch_users(sched::worker_id, std::uint32_t parts) {
  memory_.users().begin(memory_.placement().size(), std::max(parts, 1U), machine_.sockets);
}

std::vector<sched::area> simulated_data::used() {
  areas_.clear();
  std::vector<sched::area> found;
  for (const page_users::area& each : memory_.users().end()) {
    areas_.push_back({each.first, each.count});
    sched::area& seen = found.emplace_back(area_of(each.first, each.count, sched::part_at_home));
    for (std::uint32_t squad = 0; squad < squads_.size(); ++squad) {
      seen.add_user(squad, static_cast<double>(each.lines[crew_[squads_[squad].workers.first].socket]));
    }
  }
  return found;
}

std::vector<sched::area> simulated_data::watched(sched::worker_id self) {
  if (memory_.users().counting()) return used();
  lose_lookers(crew_[self]);
  const std::uint64_t sampled = memory_.heat().sampled();
  const double looks = static_cast<double>(sampled) * balancing_cost::look / lookers();
  crew_[self].spent += looks;
  cost_.sampled += sampled;
  cost_.watching += looks;
  areas_.clear();
  std::vector<sched::area> found;
  for (const page_heat::area& each : memory_.heat().end(now_)) {
    areas_.push_back({each.first, each.count});
    found.emplace_back(area_of(each.first, each.count, 0)).heat = each.heat;
  }
  return found;
}

/// Returns the bytes of those pages, and the node where most of them are, if that is more than the part `least`.
sched::area simulated_data::area_of(std::uint64_t first, std::uint64_t count, double least) const {
  sched::area seen;
  std::vector<std::uint64_t> pages_on(machine_.nodes.size());
  for (std::uint64_t page = first; page < first + count; ++page) {
    const unsigned node = memory_.placement().node(page);
    if (node == pages::none) continue;
    ++pages_on[node];
    seen.bytes += machine_.page;
  }
  const auto most = std::max_element(pages_on.begin(), pages_on.end());
  const auto number = std::find(node_ids_.begin(), node_ids_.end(), static_cast<unsigned>(most - pages_on.begin()));
  const bool enough = static_cast<double>(*most * machine_.page) > least * static_cast<double>(seen.bytes);
  if (enough && number != node_ids_.end()) seen.node = static_cast<std::uint32_t>(number - node_ids_.begin());
  return seen;
}

/// Returns the worker that copies to the squad's nodes for `asking`: that one itself in its own squad, or if no other
/// worker there is idle.
worker& simulated_data::mover_for(worker& asking, std::uint32_t squad) {
  if (squad >= squads_.size()) return asking;
  const sched::worker_range its = squads_[squad].workers;
  if (its.contains(asking.id)) return asking;
  worker* idle = nullptr;
  for (sched::worker_id id = its.first; id <= its.last; ++id) {
    worker& each = crew_[id];
    if (each.copies_for == &asking) return each;
    if (idle == nullptr && each.state != worker::doing::running) idle = &each;
  }
  if (idle == nullptr) return asking;
  call_(*idle);
  idle->copies_for = &asking;
  ++asking.copiers;
  return *idle;
}

void simulated_data::move_areas(sched::worker_id self, std::span<sched::area_move> moves, double) {
  struct piece {
    worker* mover;
    unsigned target;
    std::uint64_t bytes;
    std::vector<std::uint64_t> from;  // bytes, by node
  };
  std::vector<piece> pieces;
  worker& asking = crew_[self];
  // It calls all movers first: what it moves itself takes its time after that.
  for (sched::area_move& each : moves) {
    each.made = true;
    if (each.area >= areas_.size() || each.node >= node_ids_.size()) continue;
    const page_range& pages = areas_[each.area];
    std::vector<std::uint64_t> from(machine_.nodes.size());
    const unsigned target = node_ids_[each.node];
    each.bytes = memory_.placement().migrate(pages.first, pages.count, target, from);
    if (each.bytes == 0) continue;
    pieces.push_back({&mover_for(asking, nodes_[each.node].squad), target, each.bytes, std::move(from)});
  }
  // As move_pages does: the calling thread reads each page and writes it to the target node.
  for (const piece& each : pieces) {
    worker& mover = *each.mover;
    for (unsigned source = 0; source < each.from.size(); ++source) {
      if (each.from[source] == 0) continue;
      const auto bytes = static_cast<double>(each.from[source]);
      mover.copying.push_back({ways_.memory(source, mover.socket), bytes});
      mover.copying.push_back({ways_.write_back(mover.socket, ways_.side_of(each.target)), bytes});
    }
    const double remapped = static_cast<double>(each.bytes) / machine_.page * balancing_cost::remap;
    mover.spent += remapped;
    cost_.moved += each.bytes;
    if (&mover == &asking) cost_.moving += remapped;
  }
}

bool simulated_data::go_on_copying(worker& self) {
  if (!self.copies_since) self.copies_since = now_;
  if (self.copied < self.copying.size()) {
    const transfer& next = self.copying[self.copied++];
    traffic_.start(self.id, next.route, next.bytes, now_);
    return true;
  }
  self.awaits = self.copiers > 0;
  if (self.awaits) return true;
  if (self.copies_for == nullptr) cost_.moving += now_ - *self.copies_since;
  self.copies_since.reset();
  self.copying.clear();
  self.copied = 0;
  return false;
}

}  // namespace jackdaw::sim
