#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/memory/routes.hpp"

namespace jackdaw::sim {

/// The transfers that are under way, and how they share the machine's bandwidth: max-min fair by progressive filling
/// (Bertsekas and Gallager, Data Networks, 6.5.2), each transfer capped by its route's rate. All transfers of a route
/// are alike, so rates are computed for routes. Times are in ns and deterministic to the last bit: transfers that end
/// at the same time end in the order of start.
class traffic {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// What a resource has done so far.
  struct usage {
    double bytes = 0;  ///< carried
    double busy = 0;   ///< ns in which at least one transfer used it
  };

  /// `ways` must outlive it.
  traffic(const routes& ways, std::uint32_t cores);

  /// Starts to move bytes (>= 0) along a route for a core that has no transfer under way, at once or after the route's
  /// latency. Requires time() <= now <= next(): finish must have taken everything that ends before.
  void start(std::uint32_t core, std::uint16_t route, double bytes, double now, bool waits = true);
  /// Returns when something happens next; never if nothing is under way.
  double next() const noexcept { return next_; }
  /// Advances to next(). Returns the core whose transfer has ended, or none if bytes only began to flow.
  std::uint32_t finish();
  /// Returns when something happened last.
  double time() const noexcept { return time_; }

  /// Returns the number of transfers under way.
  std::uint32_t active() const noexcept { return active_; }
  /// Returns the bytes per ns that each transfer of a route gets now; 0 if none of its transfers flows.
  double rate(std::uint16_t route) const noexcept { return classes_[route].rate; }
  /// Returns the usage of a resource up to time().
  usage of(std::uint16_t resource) const;

  /// Throws std::logic_error if a resource carries more than its capacity (relative tolerance 1e-9), if the bytes that
  /// flowed are not those of the transfers (1e-9), or if a transfer could go faster without slowing down one that is no
  /// faster.
  void check() const;

 private:
  struct flow {
    double end = 0;  ///< value of its class's `served` at which it has finished; in waiting_ the time
    std::uint64_t order = 0;
    std::uint32_t core = 0;
  };
  /// All transfers of one route whose bytes flow.
  struct flow_class {
    double served = 0;  ///< bytes that each flow has got since the class was empty, at time `at`
    double at = 0;
    double rate = 0;            ///< from `at` on
    double due = never;         ///< when the first flow finishes
    double carried = 0;         ///< bytes of all flows up to `at`, ever
    double finished = 0;        ///< bytes of finished flows, ever
    std::uint32_t slot = none;  ///< in busy_
    bool open = false;          ///< of the filling in progress: its rate is not yet known
    std::vector<flow> flows;    ///< heap, the first to end on top
  };
  struct resource_state {
    double load = 0;   ///< bytes per ns
    double since = 0;  ///< start of the current busy time
    double busy = 0;   ///< ns of earlier busy times
    std::uint32_t flows = 0;
    bool limits = false;     ///< it keeps at least one class from going faster
    std::uint32_t slot = 0;  ///< in used_
    double even = 0;         ///< capacity / flows
    // Of the filling in progress:
    double left = 0;
    std::uint32_t open = 0;  ///< flows whose rate is not yet known
  };

  void enter(flow what);
  void leave(std::uint16_t route);
  void advance(flow_class& of) const noexcept;
  void set_due(flow_class& of) const noexcept;
  void fill();
  void set_rate(std::uint16_t route, double rate);
  double least_share() const noexcept;
  void add_flow(std::uint16_t resource);
  void remove_flow(std::uint16_t resource);
  void find_next() noexcept;

  const routes* ways_;
  double time_ = 0;
  double next_ = never;
  std::uint16_t next_class_ = 0;
  bool next_waits_ = false;  ///< the next thing to happen is the top of waiting_
  std::uint32_t active_ = 0;
  std::uint32_t since_fill_ = 0;
  std::uint64_t started_ = 0;
  std::vector<flow_class> classes_;                  ///< by route
  std::vector<resource_state> resources_;            ///< by resource
  std::vector<std::uint16_t> busy_;                  ///< routes whose class is not empty
  std::vector<std::uint16_t> used_;                  ///< resources with flows
  std::vector<std::vector<std::uint16_t>> passing_;  ///< by resource: all routes that pass it
  std::vector<double> caps_;                         ///< the rates of routes, each once, ascending
  std::vector<std::uint16_t> cap_of_;                ///< by route: the index of its rate in caps_
  // Of the filling in progress:
  std::vector<double> shares_;          ///< by slot in used_: what is left for each flow whose rate is not yet known
  std::vector<std::uint32_t> open_of_;  ///< by cap: routes whose rate is not yet known
  std::vector<std::uint16_t> held_;     ///< routes that the level limits
  std::vector<flow> waiting_;           ///< heap of flows whose latency has not passed
  struct core_state {
    std::uint16_t route = 0;
    bool active = false;
    double bytes = 0;
  };
  std::vector<core_state> cores_;
};

}  // namespace jackdaw::sim
