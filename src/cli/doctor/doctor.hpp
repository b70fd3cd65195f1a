#pragma once

#include <jackdaw/machine.hpp>

#include <string>
#include <vector>

#include "cli/doctor/system_checks.hpp"
#include "profile/counters/thread_counters.hpp"

namespace jackdaw::cli {

/// Everything that `jackdaw doctor` has found out.
struct diagnosis {
  machine found;
  profile::counter_survey counters;
  std::vector<system_check> checks;
  std::string scheduler;     ///< what a program gets that asks for none
  std::string workers_from;  ///< why there are as many workers as there are
  bool pinned = false;
  std::string not_pinned_because;  ///< empty when pinned
  std::vector<worker_place> places;
};

void print_text(const diagnosis& all);
void print_json(const diagnosis& all);

}  // namespace jackdaw::cli
