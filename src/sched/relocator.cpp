#include "sched/relocator.hpp"

#include <algorithm>
#include <new>
#include <span>

namespace jackdaw::sched {
namespace {

constexpr std::uint32_t most_areas = 512;
/// The part of an area's use that its main user must have. Data that all use are at home nowhere.
constexpr double mostly = 0.5;
/// Moving is tried if the most loaded node would then have less than this part of its load: data that lie evenly stay
/// as the user wants them. It is tried...
constexpr double worth_a_trial = 0.7;
/// ... in every `part`th area, for about as long as so many iterations take. And it is continued if that saves more
/// than this part of the time.
constexpr std::size_t part = 4;
constexpr double longest_trial = 8;
constexpr double worth_moving = 0.05;
/// Where times tell of no gain, and of no loss, data move if that takes this part of the time that the program has run:
/// times may vary by more than what is near saves.
constexpr double small_part = 0.03;
/// Data that may stay are watched again after so many times as many iterations: one iteration may have been disturbed,
/// and a program may use other data later. So watching takes an ever smaller part of the time.
constexpr unsigned later = 8;
/// The rest is given up if it takes so many times as long as the trial lets expect.
constexpr double patience = 2;
/// A region that does not begin again while others begin this often, or a single other one more often than it ever has,
/// does not tell what an iteration of the program is. So many of them are tried.
constexpr unsigned most_others = 64, most_paces = 4;

}  // namespace

void relocator::start(const engine& on, const memory_shares* shares) {
  on_ = &on.run;
  data_ = &on.data;
  shares_ = shares;
  const bool choice = on.run.squads().size() > 1 || (shares != nullptr && shares->matter());
  if (choice && on.data.nodes().size() > 1) at_ = stage::unknown;
}

void relocator::begin(worker_id self, std::uint64_t site) noexcept {
  if (at_ == stage::done) return;
  try {
    if (at_ == stage::unknown) {
      set_pace(self, site);
    } else if (site != site_) {
      if (++begun_[site] > iterations_ + 1 || ++others_ == most_others) lose_pace(self, site);
    } else {
      others_ = 0;
      begun_.clear();
      ++iterations_;
      next(self);
    }
  } catch (const std::bad_alloc&) {
    at_ = stage::done;
  }
}

void relocator::set_pace(worker_id self, std::uint64_t site) {
  if (++begun_[site] < 2) return;
  site_ = site;
  iterations_ = 1;
  paced_ = on_->now();
  others_ = 0;
  begun_.clear();
  watch(self);
}

void relocator::watch(worker_id self) {
  data_->watch_users(self, most_areas);
  at_ = stage::watched;
}

/// The region at `site` is the one that shows it.
void relocator::lose_pace(worker_id self, std::uint64_t site) {
  const bool again = at_ < stage::rest_moves && ++lost_ < most_paces;
  if (at_ == stage::watched) data_->watched(self);
  at_ = again ? stage::unknown : stage::done;
  if (again && begun_[site] > 1) {
    --begun_[site];  // set_pace counts this beginning again
    set_pace(self, site);
  }
}

void relocator::next(worker_id self) {
  const double now = on_->now(), took = now - began_;
  began_ = now;  // what is moved now is a part of the iteration that begins, also where move_areas() takes time at once
  switch (at_) {
    case stage::watched:
      at_ = plan(self) ? stage::as_it_was : stage::stays;
      watch_again_ = later * iterations_;
      began_ = on_->now();
      break;
    case stage::as_it_was:
      usual_ = took;
      move_first(self);
      break;
    case stage::part_moves:
      moving_ = took;
      at_ = stage::part_moved;
      break;
    case stage::part_moved:
      gain_ = usual_ - took;
      least_ = took;
      cost_ = took_at_once_ > 0 ? took_at_once_ : moving_ - took;
      at_ = pays() || shares_ != nullptr ? stage::waits : stage::done;
      [[fallthrough]];
    case stage::waits:
      least_ = std::min(least_, took);
      if (at_ != stage::waits) break;
      if (pays() ? cost_ <= gain_ * iterations_ : is_cheap(now)) {
        move_rest(self);
      } else if (made_ < trial_ && longest_trial * usual_ <= small_part * (now - tried_)) {
        at_ = stage::as_it_was;  // a trial that was cut short tells little: another one goes on with it
      }
      break;
    case stage::rest_moves:
      at_ = stage::done;
      break;
    case stage::stays:
      if (shares_ != nullptr && iterations_ >= watch_again_) watch(self);
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
  std::vector<area_move> elsewhere;
  std::uint64_t bytes = 0, caches = 0;
  saw_none_ = std::ranges::all_of(areas, [](const area& each) { return each.heat <= 0; });
  for (const squad& each : on_->squads()) caches += each.shared_cache;
  for (std::uint32_t i = 0; i < areas.size(); ++i) {
    const area& each = areas[i];
    bytes += each.bytes;
    if (each.node >= nodes.size()) {  // it lies on several, and stays
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        const double its = each.heat / static_cast<double>(nodes.size()) / nodes[node].bandwidth;
        load[node] += its;
        then[node] += its;
      }
      continue;
    }
    const std::uint32_t to = node_near(each, i);
    if (to != each.node) elsewhere.push_back({i, to});
    load[each.node] += each.heat / nodes[each.node].bandwidth;
    then[to] += each.heat / nodes[to].bandwidth;
  }
  moves_.clear();
  for (std::size_t i = 0; i < elsewhere.size(); i += part) moves_.push_back(elsewhere[i]);
  trial_ = moves_.size();
  for (std::size_t i = 0; i < elsewhere.size(); ++i) {
    if (i % part != 0) moves_.push_back(elsewhere[i]);
  }
  // Data that the caches hold are wherever they are used.
  if (moves_.empty() || bytes <= caches) return false;
  return *std::ranges::max_element(then) < worth_a_trial * *std::ranges::max_element(load);
}

/// Returns the node near the area's main user, of the same kind as the area's own; that one if there is none. By
/// shares: the node of an area that has the number `index`; data that all use go to all squads in turn.
std::uint32_t relocator::node_near(const area& what, std::uint32_t index) const noexcept {
  const auto& nodes = data_->nodes();
  const bool shared = what.user == none || what.used <= mostly * what.heat;
  if (shares_ != nullptr) {
    const auto squads = static_cast<std::uint32_t>(on_->squads().size());
    const std::uint32_t to =
        shared ? shares_->node_in(index % squads, index / squads) : shares_->node_in(what.user, index);
    return to != none ? to : what.node;
  }
  if (shared || nodes[what.node].squad == what.user) return what.node;
  std::uint32_t found = what.node;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].squad != what.user) continue;
    if (nodes[i].fast == nodes[what.node].fast) return i;
    found = i;
  }
  return found;
}

void relocator::move_first(worker_id self) {
  const std::size_t all = moves_.size();
  tried_ = on_->now();
  at_ = make(self, std::min(trial_, all), longest_trial * usual_) > 0 ? stage::part_moves : stage::done;
  made_ = all - moves_.size();
  took_at_once_ = on_->now() - tried_;
}

/// Whether the trial has saved clearly more than times vary.
bool relocator::pays() const noexcept { return gain_ > worth_moving * usual_; }

/// Whether the program has run so long that the rest would take a small part of it, and the trial has lost nothing.
/// The shortest iteration tells of a loss: it was disturbed least.
bool relocator::is_cheap(double now) const noexcept {
  return rest() <= small_part * (now - paced_) && least_ <= (1 + worth_moving) * usual_;
}

/// Returns the ns that moving the rest takes, as far as the trial tells.
double relocator::rest() const noexcept {
  return std::max(cost_, 0.0) * static_cast<double>(moves_.size()) / static_cast<double>(made_);
}

void relocator::move_rest(worker_id self) {
  make(self, moves_.size(), std::max(patience * rest(), longest_trial * usual_));
  at_ = stage::rest_moves;
}

/// Makes the first `count` moves, for about `most` ns at most, and forgets those that it has made. Returns the bytes
/// that moved. In a simulation all of them are made, and then they take their time.
std::uint64_t relocator::make(worker_id self, std::size_t count, double most) {
  data_->move_areas(self, std::span(moves_).first(count), most);
  std::uint64_t bytes = 0;
  for (const area_move& each : moves_) bytes += each.bytes;
  std::erase_if(moves_, [](const area_move& each) { return each.made; });
  on_->note(self, decisions::relocate, static_cast<std::int64_t>(bytes));
  return bytes;
}

}  // namespace jackdaw::sched
