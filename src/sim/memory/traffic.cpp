#include "sim/memory/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace jackdaw::sim {
namespace {

/// The standard's heaps have the greatest element on top. This order puts the earliest there.
constexpr auto later = [](const auto& a, const auto& b) {
  return a.until != b.until ? a.until > b.until : a.order > b.order;
};

/// After so many changes without fill() the loads are summed anew, so that rounding errors do not accumulate in them.
constexpr std::uint32_t fill_after = 4096;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error("traffic: " + what);
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1.0}); }

}  // namespace

traffic::traffic(const routes& ways, std::uint32_t cores)
    : ways_(&ways), flows_(cores), resources_(ways.resources().size()) {
  flowing_.reserve(cores);
  open_.reserve(cores);
  waiting_.reserve(cores);
}

void traffic::start(std::uint32_t core, std::span<const transfer> parts, double now) {
  flow& of = flows_[core];
  require(!of.active, "core " + std::to_string(core) + " has a flow already");
  require(time_ <= now && now <= next_, "a flow starts in the past or after what comes next");
  require(!parts.empty(), "a flow without parts");
  double latency = 0;
  for (const transfer& each : parts) {
    require(each.bytes >= 0, "a transfer of less than no bytes");
    latency = std::max(latency, (*ways_)[each.route].latency);
  }
  time_ = now;
  set_parts(of, parts);
  of.active = true;
  of.order = started_++;
  ++active_;
  if (latency > 0) {
    waiting_.push_back({.until = now + latency, .order = of.order, .core = core});
    std::push_heap(waiting_.begin(), waiting_.end(), later);
  } else {
    enter(core);
  }
  find_next();
}

/// Sums up what the flow takes of each resource. Parts without bytes count alike if the flow has none at all.
void traffic::set_parts(flow& of, std::span<const transfer> parts) {
  of.bytes = 0;
  for (const transfer& each : parts) of.bytes += each.bytes;
  of.shares.clear();
  double time_per_byte = 0;
  for (const transfer& each : parts) {
    const double part = of.bytes > 0 ? each.bytes / of.bytes : 1.0 / static_cast<double>(parts.size());
    if (part == 0) continue;
    time_per_byte += part / (*ways_)[each.route].rate;
    for (const std::uint16_t step : ways_->steps(each.route)) {
      const auto found = std::ranges::find(of.shares, step, &share::resource);
      if (found == of.shares.end()) {
        of.shares.push_back({.resource = step, .part = part});
      } else {
        found->part += part;
      }
    }
  }
  of.cap = 1 / time_per_byte;
}

std::uint32_t traffic::finish() {
  require(next_ < never, "nothing is under way");
  time_ = next_;
  std::uint32_t ended = none;
  if (next_waits_) {
    std::pop_heap(waiting_.begin(), waiting_.end(), later);
    const std::uint32_t core = waiting_.back().core;
    waiting_.pop_back();
    enter(core);
  } else {
    ended = next_core_;
    leave(ended);
  }
  find_next();
  return ended;
}

/// Lets the bytes of a core's flow move from now on.
void traffic::enter(std::uint32_t core) {
  flow& of = flows_[core];
  of.served = 0;
  of.at = time_;
  of.rate = 0;
  of.due = never;
  of.slot = static_cast<std::uint32_t>(flowing_.size());
  flowing_.push_back(core);
  // If there is room for the flow at its cap, no other rate changes.
  bool unnoticed = true;
  for (const share& each : of.shares) {
    resource_state& at = resources_[each.resource];
    if (at.flows++ == 0) at.since = time_;
    unnoticed = unnoticed && !at.limits && of.cap * each.part <= room(each.resource);
  }
  if (!unnoticed || ++since_fill_ == fill_after) return fill();
  for (const share& each : of.shares) resources_[each.resource].load += of.cap * each.part;
  set_rate(of, of.cap);
}

/// Removes a core's flow, which has finished.
void traffic::leave(std::uint32_t core) {
  flow& of = flows_[core];
  // A clock of `time_` ns cannot say more exactly when the flow ended.
  const double rounding = 1e-9 * of.bytes + 1e-15 * of.rate * time_;
  require(std::abs(of.served + of.rate * (time_ - of.at) - of.bytes) <= rounding,
          "the flow of core " + std::to_string(core) + " ended with other bytes than it has");
  bool unnoticed = true;
  for (const share& each : of.shares) {
    resource_state& at = resources_[each.resource];
    at.finished += each.part * of.bytes;
    unnoticed = unnoticed && !at.limits;
    at.load -= of.rate * each.part;
    if (--at.flows > 0) continue;
    at.busy += time_ - at.since;
    at.load = 0;
  }
  flowing_[of.slot] = flowing_.back();
  flows_[flowing_[of.slot]].slot = of.slot;
  flowing_.pop_back();
  of.slot = none;
  of.rate = 0;
  of.active = false;
  --active_;
  if (!unnoticed || ++since_fill_ == fill_after) fill();
}

void traffic::set_rate(flow& of, double rate) noexcept {
  if (rate == of.rate) return;
  // Not past the end, because rounding could do this if the flow ends now.
  of.served = std::min(of.served + of.rate * (time_ - of.at), of.bytes);
  of.at = time_;
  of.rate = rate;
  of.due = time_ + (of.bytes - of.served) / rate;
}

/// Returns what a resource can carry in addition.
double traffic::room(std::size_t resource) const noexcept {
  return std::max(0.0, ways_->resources()[resource].capacity - resources_[resource].load);
}

/// Returns whether a resource keeps the flow from going faster.
bool traffic::held(const flow& of) const noexcept {
  return std::ranges::any_of(of.shares, [&](const share& each) { return resources_[each.resource].limits; });
}

/// Returns the rate that all open flows can have together.
double traffic::level() noexcept {
  for (resource_state& at : resources_) at.wanted = 0;
  for (const std::uint32_t core : open_)
    for (const share& each : flows_[core].shares) resources_[each.resource].wanted += each.part;
  double least = never;
  for (std::size_t i = 0; i < resources_.size(); ++i)
    if (resources_[i].wanted > 0) least = std::min(least, room(i) / resources_[i].wanted);
  return least;
}

/// Computes all rates anew. They grow together until resources are full. The flows that have reached their caps by then
/// keep these. If there are none, those that pass a full resource keep this rate. The others grow on.
void traffic::fill() {
  constexpr double tie = 1 + 1e-12;
  since_fill_ = 0;
  for (resource_state& at : resources_) {
    at.load = 0;
    at.limits = false;
  }
  const auto settle = [this](flow& of, double rate) {
    for (const share& each : of.shares) resources_[each.resource].load += rate * each.part;
    set_rate(of, rate);
  };
  open_.assign(flowing_.begin(), flowing_.end());
  while (!open_.empty()) {
    const double reached = level();
    // A flow that keeps a cap below the level leaves more for the others, so the level only rises.
    const std::size_t capped = std::erase_if(open_, [&](std::uint32_t core) {
      flow& of = flows_[core];
      if (of.cap > reached) return false;
      settle(of, of.cap);
      return true;
    });
    if (capped > 0) continue;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      resource_state& at = resources_[i];
      at.limits = at.limits || (at.wanted > 0 && room(i) <= at.wanted * reached * tie);
    }
    std::erase_if(open_, [&](std::uint32_t core) {
      flow& of = flows_[core];
      if (!held(of)) return false;
      settle(of, reached);
      return true;
    });
  }
}

void traffic::find_next() noexcept {
  next_ = never;
  std::uint64_t order = 0;
  next_waits_ = false;
  if (!waiting_.empty()) {
    next_ = waiting_.front().until;
    order = waiting_.front().order;
    next_waits_ = true;
  }
  for (const std::uint32_t core : flowing_) {
    const flow& of = flows_[core];
    if (of.due > next_ || (of.due == next_ && of.order > order)) continue;
    next_ = of.due;
    order = of.order;
    next_core_ = core;
    next_waits_ = false;
  }
}

traffic::usage traffic::of(std::uint16_t resource) const {
  const resource_state& at = resources_[resource];
  usage sum{.bytes = at.finished, .busy = at.busy};
  if (at.flows > 0) sum.busy += time_ - at.since;
  for (const std::uint32_t core : flowing_) {
    const flow& of = flows_[core];
    for (const share& each : of.shares)
      if (each.resource == resource) sum.bytes += each.part * (of.served + of.rate * (time_ - of.at));
  }
  return sum;
}

void traffic::check() const {
  std::vector<double> load(resources_.size(), 0);
  std::vector<double> fastest(resources_.size(), 0);
  for (const std::uint32_t core : flowing_) {
    for (const share& each : flows_[core].shares) {
      load[each.resource] += each.part * flows_[core].rate;
      fastest[each.resource] = std::max(fastest[each.resource], flows_[core].rate);
    }
  }
  for (std::size_t i = 0; i < load.size(); ++i) {
    require(load[i] <= ways_->resources()[i].capacity * (1 + 1e-9),
            "resource " + std::to_string(i) + " carries more than it can");
    require(close(load[i], resources_[i].load), "resource " + std::to_string(i) + " has a wrong load");
  }
  // Max-min fairness: each flow is at its cap or passes a full resource on which no flow is faster.
  for (const std::uint32_t core : flowing_) {
    const flow& of = flows_[core];
    const bool fair = close(of.rate, of.cap) || std::ranges::any_of(of.shares, [&](const share& each) {
                        return close(load[each.resource], ways_->resources()[each.resource].capacity) &&
                               fastest[each.resource] <= of.rate * (1 + 1e-9);
                      });
    require(fair, "the flow of core " + std::to_string(core) + " could be faster");
  }
}

}  // namespace jackdaw::sim
