#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jackdaw/data_report.hpp>
#include <jackdaw/options.hpp>
#include <jackdaw/profile_source.hpp>
#include <jackdaw/statistics.hpp>

#include "cli/terminal/interruption.hpp"
#include "cli/terminal/progress.hpp"
#include "kernels/common/kernel.hpp"

namespace jackdaw::cli {

/// The request to `jackdaw bench`, checked and with every default filled in.
struct bench_plan {
  const kernels::kernel* kernel = nullptr;
  kernels::request request;
  std::vector<std::string> schedulers;  ///< one side each; "" is the default scheduler
  std::vector<std::string> against;     ///< sides of other runtimes
  options runtime_options;              ///< of every jackdaw side, except the scheduler
  bool counters = false;                ///< print all counters, and count all declared accesses
  unsigned repeat = 5;                  ///< measured runs of each side
  unsigned warm_up = 1;                 ///< runs of each side before them
  unsigned pause_ms = 250;              ///< between two sides: other runtimes' idle threads spin for about 200 ms
};

/// One measured run.
struct bench_sample {
  double seconds = 0;                  ///< wall time
  std::optional<statistics> counters;  ///< of the run; empty for other runtimes
};

/// All runs of one side.
struct side_result {
  std::string side;       ///< "jackdaw", "tbb", ...
  std::string scheduler;  ///< empty for other runtimes
  unsigned workers = 0;
  double items = 0;  ///< how many `unit` a run handles; 0: the kernel counts none
  std::string unit;
  std::vector<bench_sample> samples;        ///< one per round
  std::vector<statistics> of_workers = {};  ///< of its last sample
  std::vector<worker_place> places = {};    ///< of these workers
  profile_source profiled_by = profile_source::none;
  data_report data = {};  ///< of all its runs

  std::string label() const { return scheduler.empty() ? side : side + "/" + scheduler; }
};

struct bench_result {
  std::string started;  ///< UTC, ISO 8601
  std::string machine_name, machine_source;
  machine where = {};
  bool pinned = false;
  std::vector<side_result> sides;  ///< in the order in which they ran

  /// Measured rounds that all sides have run.
  unsigned rounds() const { return sides.empty() ? 0 : static_cast<unsigned>(sides.back().samples.size()); }
};

/// Runs the sides in turn, round by round, and checks every result. At any time `found` has all rounds that are
/// complete. Progress goes to stderr. Throws jackdaw::error for a side, size, shape or input that the kernel does not
/// have, and kernels::check_failed, with the name of the side, at the first wrong result.
void run_bench(const bench_plan& plan, guarded<bench_result>& found, progress& shown);

}  // namespace jackdaw::cli
