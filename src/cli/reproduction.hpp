#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace jackdaw::cli {

/// What a paper measured, as simulations that can be run again.
struct reproduction {
  /// How long a program's steps take on the reference core (machine_model::compute_rate 1), in ns.
  struct reference_times {
    double leaf = 0;   ///< a step that declares accesses, its data near
    double other = 0;  ///< a step between forks that declares none
    std::string from;  ///< how they were found
  };
  /// A kernel that is recorded for its forks and accesses.
  struct program {
    std::string name;
    std::string kernel;
    kernels::request request;
    unsigned workers = 0;  ///< that it is told there are
    reference_times times;
  };
  /// One simulation: a recorded program with a scheduler.
  struct experiment {
    std::string name;
    std::string program;
    std::string placement;
    std::string scheduler;
    unsigned workers = 0;
  };
  /// Simulated ns per iteration by the experiment's name, medians over the seeds.
  using times = std::map<std::string, double>;
  /// One line of the comparison.
  struct claim {
    std::string what;
    std::string paper;     ///< what the paper says, with the figure or table that it stands in
    std::string expected;  ///< what has to be simulated for the claim to hold
    std::function<double(const times&)> figure;
    std::function<bool(const times&)> holds;
    std::string otherwise;  ///< why it may not come out; printed if it does not
  };

  std::string name;     ///< as in `jackdaw reproduce NAME`
  std::string title;    ///< of the paper
  std::string machine;  ///< a shipped machine file
  std::vector<program> programs;
  std::vector<experiment> experiments;
  std::vector<claim> claims;
  std::vector<std::string> left_out;  ///< what of the paper is not here, and why
};

/// Almost Deterministic Work Stealing (SC'19), sections 5.1, 5.2, 5.4, 5.5.
reproduction reproduce_adws();

}  // namespace jackdaw::cli
