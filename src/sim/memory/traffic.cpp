#include "sim/memory/traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace jackdaw::sim {
namespace {

/// The standard's heaps have the greatest element on top. This order puts the earliest there.
constexpr auto later = [](const auto& a, const auto& b) { return a.end != b.end ? a.end > b.end : a.order > b.order; };

/// After so many changes without fill() the loads are summed anew, so that rounding errors do not accumulate in them.
constexpr std::uint32_t fill_after = 4096;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error("traffic: " + what);
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1.0}); }

}  // namespace

traffic::traffic(const routes& ways, std::uint32_t cores)
    : ways_(&ways), classes_(ways.size()), resources_(ways.resources().size()), cores_(cores) {
  busy_.reserve(ways.size());
  used_.reserve(resources_.size());
  passing_.resize(resources_.size());
  for (std::size_t route = 0; route < ways.size(); ++route) {
    const auto id = static_cast<std::uint16_t>(route);
    for (const std::uint16_t step : ways.steps(id)) passing_[step].push_back(id);
    caps_.push_back(ways[id].rate);
  }
  std::ranges::sort(caps_);
  caps_.erase(std::unique(caps_.begin(), caps_.end()), caps_.end());
  for (std::size_t route = 0; route < ways.size(); ++route) {
    const auto cap = std::ranges::lower_bound(caps_, ways[static_cast<std::uint16_t>(route)].rate);
    cap_of_.push_back(static_cast<std::uint16_t>(cap - caps_.begin()));
  }
  waiting_.reserve(cores);
}

void traffic::start(std::uint32_t core, std::uint16_t route, double bytes, double now, bool waits) {
  require(!cores_[core].active, "core " + std::to_string(core) + " has a transfer already");
  require(time_ <= now && now <= next_, "a transfer starts in the past or after what comes next");
  require(bytes >= 0, "a transfer of less than no bytes");
  time_ = now;
  cores_[core] = {.route = route, .active = true, .bytes = bytes};
  ++active_;
  const double latency = waits ? (*ways_)[route].latency : 0;
  const flow what{.end = now + latency, .order = started_++, .core = core};
  if (latency > 0) {
    waiting_.push_back(what);
    std::push_heap(waiting_.begin(), waiting_.end(), later);
  } else {
    enter(what);
  }
  find_next();
}

std::uint32_t traffic::finish() {
  require(next_ < never, "nothing is under way");
  time_ = next_;
  std::uint32_t ended = none;
  if (next_waits_) {
    std::pop_heap(waiting_.begin(), waiting_.end(), later);
    const flow what = waiting_.back();
    waiting_.pop_back();
    enter(what);
  } else {
    ended = classes_[next_class_].flows.front().core;
    leave(next_class_);
    cores_[ended].active = false;
    --active_;
  }
  find_next();
  return ended;
}

/// Lets the bytes of a transfer flow from now on.
void traffic::enter(flow what) {
  const std::uint16_t route = cores_[what.core].route;
  flow_class& of = classes_[route];
  const double cap = (*ways_)[route].rate;
  if (of.flows.empty()) {
    of.slot = static_cast<std::uint32_t>(busy_.size());
    busy_.push_back(route);
    of.served = 0;
    of.at = time_;
  } else {
    advance(of);
  }
  what.end = of.served + cores_[what.core].bytes;
  of.flows.push_back(what);
  std::push_heap(of.flows.begin(), of.flows.end(), later);
  // If only the route's cap limits its class, and there is room for one more flow, no other rate changes.
  bool unnoticed = of.flows.size() == 1 || of.rate == cap;
  for (const std::uint16_t step : ways_->steps(route)) {
    add_flow(step);
    const resource_state& at = resources_[step];
    unnoticed = unnoticed && !at.limits && at.load + cap <= ways_->resources()[step].capacity;
  }
  if (!unnoticed || ++since_fill_ == fill_after) return fill();
  for (const std::uint16_t step : ways_->steps(route)) resources_[step].load += cap;
  of.rate = cap;
  set_due(of);
}

/// Removes the first flow of a class, which has finished.
void traffic::leave(std::uint16_t route) {
  flow_class& of = classes_[route];
  of.carried += static_cast<double>(of.flows.size()) * (of.flows.front().end - of.served);
  of.served = of.flows.front().end;
  of.at = time_;
  of.finished += cores_[of.flows.front().core].bytes;
  std::pop_heap(of.flows.begin(), of.flows.end(), later);
  of.flows.pop_back();
  bool unnoticed = true;
  for (const std::uint16_t step : ways_->steps(route)) {
    resource_state& at = resources_[step];
    unnoticed = unnoticed && !at.limits;
    at.load -= of.rate;
    remove_flow(step);
  }
  if (of.flows.empty()) {
    busy_[of.slot] = busy_.back();
    classes_[busy_[of.slot]].slot = of.slot;
    busy_.pop_back();
    of.rate = 0;
    of.due = never;
  } else {
    set_due(of);
  }
  if (!unnoticed || ++since_fill_ == fill_after) fill();
}

void traffic::add_flow(std::uint16_t resource) {
  resource_state& at = resources_[resource];
  if (at.flows++ == 0) {
    at.since = time_;
    at.slot = static_cast<std::uint32_t>(used_.size());
    used_.push_back(resource);
  }
  at.even = ways_->resources()[resource].capacity / at.flows;
}

void traffic::remove_flow(std::uint16_t resource) {
  resource_state& at = resources_[resource];
  if (--at.flows > 0) {
    at.even = ways_->resources()[resource].capacity / at.flows;
    return;
  }
  at.busy += time_ - at.since;
  at.load = 0;
  at.limits = false;
  used_[at.slot] = used_.back();
  resources_[used_[at.slot]].slot = at.slot;
  used_.pop_back();
}

void traffic::advance(flow_class& of) const noexcept {
  // Not past the first end, because rounding could do this if the first flow ends now.
  const double until = std::min(of.served + of.rate * (time_ - of.at), of.flows.front().end);
  of.carried += static_cast<double>(of.flows.size()) * (until - of.served);
  of.served = until;
  of.at = time_;
}

/// Requires that `at` is time_.
void traffic::set_due(flow_class& of) const noexcept { of.due = time_ + (of.flows.front().end - of.served) / of.rate; }

/// Computes all rates anew. They grow together until a resource is full or a route's cap is reached. The routes that
/// this limits keep their rate, and the others grow on.
void traffic::fill() {
  constexpr double tie = 1 + 1e-12;
  since_fill_ = 0;
  shares_.resize(used_.size());
  for (std::size_t slot = 0; slot < used_.size(); ++slot) {
    resource_state& at = resources_[used_[slot]];
    at.load = 0;
    at.limits = false;
    at.open = at.flows;
    at.left = ways_->resources()[used_[slot]].capacity;
    shares_[slot] = at.even;
  }
  open_of_.assign(caps_.size(), 0);
  for (const std::uint16_t route : busy_) {
    classes_[route].open = true;
    ++open_of_[cap_of_[route]];
  }
  for (std::size_t left = busy_.size(); left > 0; left -= held_.size()) {
    held_.clear();
    const auto hold = [this](std::uint16_t route) {
      if (!classes_[route].open) return;
      classes_[route].open = false;
      held_.push_back(route);
    };
    const double level = std::max(least_share(), 0.0);
    const auto slowest = std::ranges::find_if(open_of_, [](std::uint32_t routes) { return routes > 0; });
    const double cap = caps_[static_cast<std::size_t>(slowest - open_of_.begin())];
    if (cap <= level) {
      for (const std::uint16_t route : busy_)
        if (caps_[cap_of_[route]] == cap) hold(route);
    } else {
      for (std::size_t slot = 0; slot < used_.size(); ++slot) {
        if (shares_[slot] > level * tie) continue;
        resources_[used_[slot]].limits = true;
        for (const std::uint16_t route : passing_[used_[slot]]) hold(route);
      }
      // What is left of a resource depends, in the last bit, on the order in which routes take their part of it.
      std::ranges::sort(held_, {}, [this](std::uint16_t route) { return classes_[route].slot; });
    }
    for (const std::uint16_t route : held_) set_rate(route, std::min(cap, level));
  }
}

/// Gives the flows of a route their rate. Their resources have less left for others.
void traffic::set_rate(std::uint16_t route, double rate) {
  flow_class& of = classes_[route];
  const auto flows = static_cast<std::uint32_t>(of.flows.size());
  for (const std::uint16_t step : ways_->steps(route)) {
    resource_state& at = resources_[step];
    at.open -= flows;
    at.left -= rate * flows;
    at.load += rate * flows;
    shares_[at.slot] = at.open > 0 ? at.left / at.open : never;
  }
  --open_of_[cap_of_[route]];
  advance(of);
  of.rate = rate;
  set_due(of);
}

/// Four minima at a time, because one has to wait for the one before.
double traffic::least_share() const noexcept {
  std::array<double, 4> least{never, never, never, never};
  std::size_t slot = 0;
  for (; slot + least.size() <= shares_.size(); slot += least.size())
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], shares_[slot + i]);
  for (; slot < shares_.size(); ++slot) least[0] = std::min(least[0], shares_[slot]);
  return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
}

void traffic::find_next() noexcept {
  next_ = never;
  std::uint64_t order = 0;
  next_waits_ = false;
  if (!waiting_.empty()) {
    next_ = waiting_.front().end;
    order = waiting_.front().order;
    next_waits_ = true;
  }
  for (const std::uint16_t route : busy_) {
    const flow_class& of = classes_[route];
    if (of.due > next_ || (of.due == next_ && of.flows.front().order > order)) continue;
    next_ = of.due;
    order = of.flows.front().order;
    next_class_ = route;
    next_waits_ = false;
  }
}

traffic::usage traffic::of(std::uint16_t resource) const {
  usage sum{.bytes = 0, .busy = resources_[resource].busy};
  if (resources_[resource].flows > 0) sum.busy += time_ - resources_[resource].since;
  for (std::size_t route = 0; route < classes_.size(); ++route) {
    const auto steps = ways_->steps(static_cast<std::uint16_t>(route));
    if (std::find(steps.begin(), steps.end(), resource) == steps.end()) continue;
    const flow_class& of = classes_[route];
    sum.bytes += of.carried + static_cast<double>(of.flows.size()) * of.rate * (time_ - of.at);
  }
  return sum;
}

void traffic::check() const {
  std::vector<double> load(resources_.size(), 0);
  for (std::size_t route = 0; route < classes_.size(); ++route) {
    const flow_class& of = classes_[route];
    const auto flows = static_cast<double>(of.flows.size());
    for (const std::uint16_t step : ways_->steps(static_cast<std::uint16_t>(route)))
      load[step] += of.flows.empty() ? 0 : flows * of.rate;
    double partial = 0;
    for (const flow& each : of.flows) partial += cores_[each.core].bytes - (each.end - of.served);
    require(close(of.carried, of.finished + partial),
            "route " + std::to_string(route) + " carried other bytes than its transfers have");
  }
  for (std::size_t i = 0; i < load.size(); ++i) {
    require(load[i] <= ways_->resources()[i].capacity * (1 + 1e-9),
            "resource " + std::to_string(i) + " carries more than it can");
    require(close(load[i], resources_[i].load), "resource " + std::to_string(i) + " has a wrong load");
  }
  // Max-min fairness: each route is at its cap or passes a full resource on which no route is faster.
  for (const std::uint16_t route : busy_) {
    const double rate = classes_[route].rate;
    bool held = close(rate, (*ways_)[route].rate);
    for (const std::uint16_t step : ways_->steps(route)) {
      if (!close(load[step], ways_->resources()[step].capacity)) continue;
      held = held || std::none_of(busy_.begin(), busy_.end(), [&](std::uint16_t other) {
               const auto steps = ways_->steps(other);
               return std::find(steps.begin(), steps.end(), step) != steps.end() &&
                      classes_[other].rate > rate * (1 + 1e-9);
             });
    }
    require(held, "route " + std::to_string(route) + " could be faster");
  }
}

}  // namespace jackdaw::sim
