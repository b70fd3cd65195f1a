#pragma once

#include <array>
#include <span>
#include <vector>

#include "machine/model.hpp"

/// A regression of programs' times whose terms are times, so that it can be carried to another machine.
namespace jackdaw::cli {

/// What is known of a program on a machine: the first two from its recording, the others counted in a run. All are of
/// one iteration, or of the whole program.
struct observation {
  const machine_model* on = nullptr;
  unsigned workers = 1;
  double work = 0, span = 0;  ///< ns on this machine's cores: T1 and T-infinity
  double local_bytes = 0, remote_bytes = 0;
  double steals = 0;
  double time = 0;  ///< ns; of an unseen machine: 0
};

/// The terms, each in ns: work / workers, the critical path, the time for the bytes, the time for the steals.
inline constexpr std::size_t terms = 4;
/// Bytes take as long as the cores need that wait for them at local_rate and remote_rate, or as all nodes and links
/// together, whichever is longer. Steals cost what the machine says, a part (sockets - 1) / sockets of them the remote
/// price; the workers share the cost.
std::array<double, terms> terms_of(const observation& of);

/// What a program would count on a machine where it has not run, from its runs elsewhere: as many bytes, whose remote
/// part grows with the part of all memory that is on other sockets, (sockets - 1) / sockets; as many steals per worker.
/// The means over the runs. Requires a run.
observation carry_over(std::span<const observation> runs, const machine_model& to, unsigned workers, double work,
                       double span);

/// The time of a run elsewhere if it went with 1 / (workers x compute_rate). Nothing is fitted.
double at_speed(const observation& run, const machine_model& to, unsigned workers);

/// work / workers + span: within this time a greedy scheduler ends if bytes, steals and its own work cost nothing.
/// Nothing is fitted, and no run is needed.
double greedy_bound(const observation& of);

/// Time as a sum of the terms, each by its own factor.
class time_model {
 public:
  /// Fits by ordinary least squares to relative errors, because times differ by orders of magnitude. A term that would
  /// get a negative factor, or that follows from others, is left out. Throws error unless there are more observations
  /// than terms.
  explicit time_model(std::span<const observation> seen);

  double time(const observation& of) const;
  const std::array<double, terms>& factors() const noexcept { return factors_; }

 private:
  std::array<double, terms> factors_{};
};

}  // namespace jackdaw::cli
