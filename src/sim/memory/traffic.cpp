#include "sim/memory/traffic.hpp"

#include <algorithm>
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
  open_.reserve(ways.size());
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
    resource_state& at = resources_[step];
    if (at.flows++ == 0) at.since = time_;
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
    if (--at.flows > 0) continue;
    at.busy += time_ - at.since;
    at.load = 0;
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
  for (resource_state& at : resources_) {
    at.load = 0;
    at.limits = false;
    at.open = at.flows;
  }
  for (std::size_t i = 0; i < resources_.size(); ++i) resources_[i].left = ways_->resources()[i].capacity;
  open_.assign(busy_.begin(), busy_.end());
  while (!open_.empty()) {
    double level = never;
    for (const resource_state& at : resources_)
      if (at.open > 0) level = std::min(level, at.left / at.open);
    level = std::max(level, 0.0);
    double cap = never;
    for (const std::uint16_t route : open_) cap = std::min(cap, (*ways_)[route].rate);
    const bool by_cap = cap <= level;
    if (!by_cap)
      for (resource_state& at : resources_) at.limits = at.limits || (at.open > 0 && at.left / at.open <= level * tie);
    const double rate = by_cap ? cap : level;
    std::size_t kept = 0;
    for (const std::uint16_t route : open_) {
      const auto steps = ways_->steps(route);
      const bool held =
          by_cap ? (*ways_)[route].rate <= cap
                 : std::any_of(steps.begin(), steps.end(), [&](auto step) { return resources_[step].limits; });
      if (!held) {
        open_[kept++] = route;
        continue;
      }
      const auto flows = static_cast<std::uint32_t>(classes_[route].flows.size());
      for (const std::uint16_t step : steps) {
        resource_state& at = resources_[step];
        at.open -= flows;
        at.left -= rate * flows;
        at.load += rate * flows;
      }
      flow_class& of = classes_[route];
      advance(of);
      of.rate = rate;
      set_due(of);
    }
    open_.resize(kept);
  }
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
