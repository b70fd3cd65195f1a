#include "sim/memory/pages.hpp"

#include <algorithm>
#include <jackdaw/error.hpp>
#include <numeric>
#include <stdexcept>
#include <string>

namespace jackdaw::sim {

pages::pages(const machine_model& machine, const routes& ways, std::uint64_t count, const policy& rule)
    : machine_(&machine), ways_(&ways), used_(machine.nodes.size(), 0) {
  for (const machine_model::memory_node& node : machine.nodes) capacity_.push_back(node.capacity / machine.page);
  const std::uint64_t room = std::accumulate(capacity_.begin(), capacity_.end(), std::uint64_t{0});
  if (count > room)
    throw error("the data are " + std::to_string(count * machine.page) + " bytes: expected at most the " +
                std::to_string(room * machine.page) + " bytes of the memory nodes of machine '" + machine.name + "'");
  homes_.assign(count, unplaced);
  place(0, count, rule);
}

void pages::place(std::uint64_t first, std::uint64_t count, const policy& rule) {
  policy whole = rule;
  if (whole.nodes.empty()) {
    whole.nodes.resize(machine_->nodes.size());
    std::iota(whole.nodes.begin(), whole.nodes.end(), 0U);
  }
  if (whole.what == policy::kind::weighted) return place_weighted(first, count, whole);
  if (whole.what == policy::kind::first_touch) {
    const auto known =
        std::find_if(rules_.begin(), rules_.end(), [&](const policy& of) { return of.nodes == whole.nodes; });
    const auto number = static_cast<std::uint16_t>(unplaced + (known - rules_.begin()));
    if (known == rules_.end()) rules_.push_back(whole);
    for (std::uint64_t page = first; page < first + count; ++page)
      if (homes_[page] >= unplaced) homes_[page] = number;
    return;
  }
  const std::uint64_t modulus = whole.what == policy::kind::interleave ? whole.nodes.size() : 1;
  for (std::uint64_t page = first; page < first + count; ++page)
    if (homes_[page] >= unplaced) put(page, whole.nodes[page % modulus], whole);
}

/// Places page by page on the node that is furthest behind its share; of several, on the first of the list.
void pages::place_weighted(std::uint64_t first, std::uint64_t count, const policy& rule) {
  std::vector<double> share;
  share.reserve(rule.nodes.size());
  for (const unsigned node : rule.nodes) share.push_back(machine_->nodes[node].bandwidth);
  const double sum = std::accumulate(share.begin(), share.end(), 0.0);
  for (double& each : share) each = sum > 0 ? each / sum : 1.0 / static_cast<double>(share.size());
  std::vector<std::uint64_t> given(share.size(), 0);
  std::uint64_t placed = 0;
  for (std::uint64_t page = first; page < first + count; ++page) {
    if (homes_[page] < unplaced) continue;
    ++placed;
    std::size_t best = 0;
    double most = -2;
    for (std::size_t i = 0; i < share.size(); ++i) {
      const double behind = share[i] * static_cast<double>(placed) - static_cast<double>(given[i]);
      if (behind <= most) continue;
      most = behind;
      best = i;
    }
    ++given[best];
    put(page, rule.nodes[best], rule);
  }
}

unsigned pages::place_first(std::uint64_t page, unsigned socket, unsigned wanted) {
  const policy& rule = rules_[homes_[page] - unplaced];
  if (wanted != none) {
    put(page, wanted, rule);
    return homes_[page];
  }
  for (const unsigned node : ways_->nearest(socket)) {
    if (std::find(rule.nodes.begin(), rule.nodes.end(), node) == rule.nodes.end()) continue;
    put(page, node, rule);
    break;
  }
  return homes_[page];
}

void pages::put(std::uint64_t page, unsigned node, const policy& rule) {
  if (used_[node] == capacity_[node]) node = with_room(node, rule);
  homes_[page] = static_cast<std::uint16_t>(node);
  ++used_[node];
}

unsigned pages::with_room(unsigned wanted, const policy& rule) const {
  const auto around = ways_->nearest(machine_->nodes[wanted].socket);
  for (const unsigned node : around)
    if (used_[node] < capacity_[node] && std::find(rule.nodes.begin(), rule.nodes.end(), node) != rule.nodes.end())
      return node;
  for (const unsigned node : around)
    if (used_[node] < capacity_[node]) return node;
  throw std::logic_error("pages: no node has room, though all together have");
}

std::uint64_t pages::migrate(std::uint64_t first, std::uint64_t count, unsigned node,
                             std::span<std::uint64_t> moved_from) {
  std::uint64_t moved = 0;
  for (std::uint64_t page = first; page < first + count && used_[node] < capacity_[node]; ++page) {
    const std::uint16_t home = homes_[page];
    if (home >= unplaced || home == node) continue;
    --used_[home];
    ++used_[node];
    homes_[page] = static_cast<std::uint16_t>(node);
    moved += machine_->page;
    if (!moved_from.empty()) moved_from[home] += machine_->page;
  }
  return moved;
}

void pages::check() const {
  std::vector<std::uint64_t> count(used_.size(), 0);
  for (const std::uint16_t home : homes_)
    if (home < unplaced) ++count.at(home);
  for (std::size_t node = 0; node < used_.size(); ++node) {
    const std::string name = "pages: node " + std::to_string(node);
    if (count[node] != used_[node]) throw std::logic_error(name + " has a wrong count");
    if (used_[node] > capacity_[node]) throw std::logic_error(name + " holds more than it can");
  }
}

std::size_t pages::footprint() const noexcept {
  return homes_.capacity() * sizeof(homes_[0]) + (used_.capacity() + capacity_.capacity()) * sizeof(used_[0]) +
         rules_.capacity() * sizeof(policy);
}

}  // namespace jackdaw::sim
