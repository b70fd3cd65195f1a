#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/memory/routes.hpp"

namespace jackdaw::sim {

/// What the cores move at a time, and how this shares the machine's bandwidth.
///
/// A core has one **flow** at a time. Its bytes come along several routes at once, along each in proportion to the
/// route's part of them, so that all end together. This is what a core's outstanding misses do that go to several nodes
/// in turn: a slow node keeps all of them waiting. Alone, a flow takes as long as its parts would one after another,
/// because the rate of a route is what all the misses that a core can have outstanding bring along it.
///
/// Flows share resources max-min fairly by progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2). Times
/// are in ns and deterministic to the last bit: flows that end at the same time end in the order of start.
class traffic {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// What a resource has done so far.
  struct usage {
    double bytes = 0;  ///< carried
    double busy = 0;   ///< ns in which at least one flow used it
  };

  /// `ways` must outlive it.
  traffic(const routes& ways, std::uint32_t cores);

  /// Starts to move these parts (one or more, of >= 0 bytes) for a core that has no flow under way. The bytes flow
  /// after the longest of the routes' latencies. Requires time() <= now <= next(): finish must have taken everything
  /// that ends before.
  void start(std::uint32_t core, std::span<const transfer> parts, double now);
  /// Returns when something happens next; never if nothing is under way.
  double next() const noexcept { return next_; }
  /// Advances to next(). Returns the core whose flow has ended, or none if bytes only began to flow.
  std::uint32_t finish();
  /// Returns when something happened last.
  double time() const noexcept { return time_; }

  /// Returns the number of flows under way.
  std::uint32_t active() const noexcept { return active_; }
  /// Returns the bytes per ns that a core gets now, along all routes together; 0 if none flow.
  double rate(std::uint32_t core) const noexcept { return flows_[core].rate; }
  /// Returns the usage of a resource up to time().
  usage of(std::uint16_t resource) const;

  /// Throws std::logic_error if a resource carries more than its capacity (relative tolerance 1e-9), or if a flow could
  /// go faster without slowing down one that is no faster. finish() throws if a flow ends with other bytes than its
  /// own.
  void check() const;

 private:
  /// A resource that a flow passes.
  struct share {
    std::uint16_t resource = 0;
    double part = 0;  ///< of each byte of the flow
  };
  struct flow {
    std::vector<share> shares;
    double bytes = 0;
    double cap = 0;     ///< its rate if it has all resources for itself
    double served = 0;  ///< bytes that have flowed, at time `at`
    double at = 0;
    double rate = 0;  ///< from `at` on
    double due = never;
    std::uint64_t order = 0;
    std::uint32_t slot = none;  ///< in flowing_
    bool active = false;
  };
  struct waiting_flow {
    double until = 0;
    std::uint64_t order = 0;
    std::uint32_t core = 0;
  };
  struct resource_state {
    double load = 0;      ///< bytes per ns
    double finished = 0;  ///< bytes of flows that have ended
    double since = 0;     ///< start of the current busy time
    double busy = 0;      ///< ns of earlier busy times
    std::uint32_t flows = 0;
    bool limits = false;  ///< it keeps at least one flow from going faster
    double wanted = 0;    ///< of the filling in progress: what open flows take of it for each byte per ns of rate
  };

  void set_parts(flow& of, std::span<const transfer> parts);
  void enter(std::uint32_t core);
  void leave(std::uint32_t core);
  void set_rate(flow& of, double rate) noexcept;
  bool held(const flow& of) const noexcept;
  double level() noexcept;
  void fill();
  void find_next() noexcept;
  double room(std::size_t resource) const noexcept;

  const routes* ways_;
  double time_ = 0;
  double next_ = never;
  std::uint32_t next_core_ = 0;
  bool next_waits_ = false;  ///< the next thing to happen is the top of waiting_
  std::uint32_t active_ = 0;
  std::uint32_t since_fill_ = 0;
  std::uint64_t started_ = 0;
  std::vector<flow> flows_;                ///< by core
  std::vector<resource_state> resources_;  ///< by resource
  std::vector<std::uint32_t> flowing_;     ///< cores whose bytes flow
  std::vector<std::uint32_t> open_;        ///< of the filling in progress: cores whose rate is not yet known
  std::vector<waiting_flow> waiting_;      ///< heap of flows whose latency has not passed
};

}  // namespace jackdaw::sim
