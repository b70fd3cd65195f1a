#include "sim/simulated_data.hpp"

#include <algorithm>

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
  }
  const bool known = std::all_of(nodes_.begin(), nodes_.end(), [](const auto& each) { return each.bandwidth > 0; });
  for (sched::memory_node& each : nodes_) {
    if (!known) {
      each.bandwidth = 1;
      each.rate = 0;
    }
    each.fast = std::any_of(nodes_.begin(), nodes_.end(), [&](const sched::memory_node& other) {
      return known && other.squad == each.squad && other.bandwidth < each.bandwidth;
    });
  }
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

std::uint64_t simulated_data::move_area(sched::worker_id self, std::uint32_t index, std::uint32_t node) {
  if (index >= areas_.size() || node >= node_ids_.size()) return 0;
  worker& mover = crew_[self];
  const unsigned target = node_ids_[node];
  std::vector<std::uint64_t> from(machine_.nodes.size());
  const std::uint64_t moved = memory_.placement().migrate(areas_[index].first, areas_[index].count, target, from);
  // As move_pages does: the calling thread reads each page and writes it to the target node.
  for (unsigned source = 0; source < from.size(); ++source) {
    if (from[source] == 0) continue;
    const auto bytes = static_cast<double>(from[source]);
    mover.copying.push_back({ways_.memory(source, mover.socket), bytes});
    mover.copying.push_back({ways_.write_back(mover.socket, ways_.side_of(target)), bytes});
  }
  const double remapped = static_cast<double>(moved) / machine_.page * balancing_cost::remap;
  mover.spent += remapped;
  cost_.moved += moved;
  cost_.moving += remapped;
  return moved;
}

bool simulated_data::go_on_copying(worker& self) {
  if (self.copied == 0) self.copies_since = now_;
  if (self.copied < self.copying.size()) {
    const transfer& next = self.copying[self.copied++];
    traffic_.start(self.id, next.route, next.bytes, now_);
    return true;
  }
  cost_.moving += now_ - self.copies_since;
  self.copying.clear();
  self.copied = 0;
  return false;
}

}  // namespace jackdaw::sim
