#pragma once

#include <string>
#include <vector>

#include <jackdaw/machine.hpp>

#include "profile/counters/thread_counters.hpp"

namespace jackdaw::cli {

/// Something that the operating system may offer.
struct system_check {
  enum class verdict {
    good,     ///< available and set as it should be
    notice,   ///< works, but could be better
    missing,  ///< not permitted or not available
  };
  std::string name;
  verdict state = verdict::good;
  std::string found;  ///< what was tried, with its result
  std::string fix;    ///< the exact remedy; empty when none is needed or possible
};

/// Tries everything that a runtime asks of the kernel, except `counters`, which the caller tried already. Changes
/// nothing.
std::vector<system_check> check_system(const machine& where, const profile::counter_survey& counters);

}  // namespace jackdaw::cli
