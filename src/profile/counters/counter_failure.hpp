#pragma once

#include <optional>
#include <string>

namespace jackdaw::profile {

/// The reason why hardware counters do not count.
struct counter_failure {
  enum class reason {
    unknown_processor,  ///< no event is known to be misses of this processor's last private cache
    not_permitted,      ///< by the kernel's level for perf events, or by a container
    absent,             ///< the kernel shows no such counters, as in most virtual machines
    no_descriptors,     ///< every file descriptor that the process or the computer may have is in use
    busy,               ///< something else uses the counters
    incomplete,         ///< they counted only part of the time
    other,
  };

  reason why = reason::other;
  int code = 0;      ///< errno; 0 when no call failed
  std::string what;  ///< what happened, one line
  std::string fix;   ///< the remedy, one line; empty if there is none

  friend bool operator==(const counter_failure&, const counter_failure&) = default;
};

/// Explains the refusal `code` of perf_event_open(2), or of a call on its descriptor. `paranoid` is the value of
/// kernel.perf_event_paranoid; nullopt if the kernel has no perf events.
counter_failure explain_refusal(int code, std::optional<int> paranoid);

}  // namespace jackdaw::profile
