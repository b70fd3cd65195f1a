#pragma once

#include <jackdaw/machine.hpp>

#include <string>
#include <vector>

#include "cli/doctor/system_checks.hpp"
#include "profile/counters/thread_counters.hpp"

namespace jackdaw::cli {

/// Everything that `jackdaw doctor` found.
struct diagnosis {
  machine found;
  profile::counter_survey counters;
  std::vector<system_check> checks;
  std::string scheduler;           ///< the default, for a program that asks for none
  std::string workers_from;        ///< what determined the number of workers
  bool pinned = false;             ///< each worker has a CPU of its own
  bool stay_in_l3 = false;         ///< each worker stays on the CPUs of its L3 cache
  std::string not_pinned_because;  ///< empty if neither
  std::vector<worker_place> places;
};

void print_text(const diagnosis& all);
void print_json(const diagnosis& all);

}  // namespace jackdaw::cli
