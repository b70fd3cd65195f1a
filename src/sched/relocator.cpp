#include "sched/relocator.hpp"

#include <algorithm>
#include <new>

namespace jackdaw::sched {
namespace {

constexpr std::uint32_t most_areas = 512;
/// The part of an area's use that its main user must have. Data that all use are at home nowhere.
constexpr double mostly = 0.5;
/// Moving is tried if the most loaded node would then have less than this part of its load: data that lie evenly stay
/// as the user wants them. It is tried...
constexpr double worth_a_trial = 0.7;
/// ... in every `part`th area. And it is continued if that saves more than this part of the time.
constexpr std::size_t part = 4;
constexpr double worth_moving = 0.05;
/// A region that does not begin again while others begin this often does not tell what an iteration of the program is.
constexpr unsigned most_others = 64;

}  // namespace

void relocator::start(const engine& on) {
  on_ = &on.run;
  data_ = &on.data;
  if (on.run.squads().size() > 1 && on.data.nodes().size() > 1) at_ = stage::unknown;
}

void relocator::begin(worker_id self, std::uint64_t site) noexcept {
  if (at_ == stage::done) return;
  try {
    if (at_ == stage::unknown) {
      if (++begun_[site] < 2) return;
      site_ = site;
      iterations_ = 1;
      data_->watch_users(self, most_areas);
      at_ = stage::watched;
    } else if (site != site_) {
      if (++others_ < most_others) return;
      if (at_ == stage::watched) data_->watched(self);
      at_ = stage::done;
    } else {
      others_ = 0;
      ++iterations_;
      next(self);
    }
  } catch (const std::bad_alloc&) {
    at_ = stage::done;
  }
  began_ = on_->now();
}

void relocator::next(worker_id self) {
  const double took = on_->now() - began_;
  switch (at_) {
    case stage::watched:
      at_ = plan(self) ? stage::as_it_was : stage::done;
      break;
    case stage::as_it_was:
      usual_ = took;
      move_part(self, true);
      break;
    case stage::part_moves:
      moving_ = took;
      at_ = stage::part_moved;
      break;
    case stage::part_moved:
      gain_ = usual_ - took;
      cost_ = moving_ - took;
      at_ = gain_ > worth_moving * usual_ ? stage::waits : stage::done;
      [[fallthrough]];
    case stage::waits:
      if (at_ == stage::waits && cost_ <= gain_ * iterations_) move_part(self, false);
      break;
    case stage::unknown:
    case stage::done:
      break;
  }
}

/// Ends the watch and plans the moves. Returns whether they are worth a trial.
bool relocator::plan(worker_id self) {
  const std::vector<area> areas = data_->watched(self);
  const auto& nodes = data_->nodes();
  std::vector<double> load(nodes.size()), then(nodes.size());
  std::uint64_t bytes = 0, caches = 0;
  for (const squad& each : on_->squads()) caches += each.shared_cache;
  for (std::uint32_t i = 0; i < areas.size(); ++i) {
    const area& each = areas[i];
    if (each.node >= nodes.size()) continue;
    bytes += each.bytes;
    const std::uint32_t to = node_near(each);
    if (to != each.node) moves_.push_back({i, to});
    load[each.node] += each.heat / nodes[each.node].bandwidth;
    then[to] += each.heat / nodes[to].bandwidth;
  }
  // Data that the caches hold are wherever they are used.
  if (moves_.empty() || bytes <= caches) return false;
  return *std::ranges::max_element(then) < worth_a_trial * *std::ranges::max_element(load);
}

/// Returns the node near the area's main user, of the same kind as the area's own; that one if there is none.
std::uint32_t relocator::node_near(const area& what) const noexcept {
  const auto& nodes = data_->nodes();
  if (what.user == none || what.used <= mostly * what.heat || nodes[what.node].squad == what.user) return what.node;
  std::uint32_t found = what.node;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].squad != what.user) continue;
    if (nodes[i].fast == nodes[what.node].fast) return i;
    found = i;
  }
  return found;
}

void relocator::move_part(worker_id self, bool first) {
  std::uint64_t moved = 0;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    if ((i % part == 0) == first) moved += data_->move_area(self, moves_[i].area, moves_[i].node);
  }
  on_->note(self, decisions::relocate, static_cast<std::int64_t>(moved));
  at_ = first && moved > 0 ? stage::part_moves : stage::done;
}

}  // namespace jackdaw::sched
