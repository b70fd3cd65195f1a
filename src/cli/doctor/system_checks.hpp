#pragma once

#include <string>
#include <vector>

#include <jackdaw/machine.hpp>

#include "profile/counters/thread_counters.hpp"

namespace jackdaw::cli {

/// Something that the operating system offers, or not.
struct system_check {
  enum class verdict {
    good,     ///< there, and as it should be
    notice,   ///< works, but could be better
    missing,  ///< not permitted or not there
  };
  std::string name;
  verdict state = verdict::good;
  std::string found;  ///< what was tried and what came of it
  std::string fix;    ///< the exact remedy; empty when none is needed or possible
};

/// Tries, here and now, what a runtime asks of the kernel; `counters` have been tried already. Changes nothing.
std::vector<system_check> check_system(const machine& where, const profile::counter_survey& counters);

}  // namespace jackdaw::cli
