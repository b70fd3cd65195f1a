#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "kernels/common/kernel.hpp"

/// The programs bench_<runtime>: one command line and one line of output for every runtime that is compared.
namespace jackdaw::bench {

/// The command line of every program:
/// `KERNEL [--size S] [--shape X] [--input FILE] [--workers W] [--repeat R] [--warm-up N] [--iterations N]
/// [--scheduler NAME]`.
struct arguments {
  std::string kernel;
  kernels::request request;
  unsigned repeat = 1;    ///< timed runs
  unsigned warm_up = 1;   ///< runs before them that are checked but not printed: they start the threads
  std::string scheduler;  ///< for the program of jackdaw only
};

/// Runs a part of a problem where the runtime requires it.
using enter = std::function<void(const std::function<void()>& piece)>;

/// The differences between the programs.
struct program {
  std::string_view runtime;  ///< its name in the output, e.g. "gomp"
  std::string_view side;     ///< which side of a kernel it runs, e.g. "openmp"
  bool takes_scheduler;      ///< whether the program accepts --scheduler

  /// Starts the runtime, which lives as long as the returned object.
  std::function<enter(const arguments&)> start;
};

/// The whole of main: reads the command line, then prepares, runs and checks the kernel warm_up + repeat times, and
/// prints for each timed run one line, a JSON object with kernel, size, shape, runtime, workers, seconds (wall time of
/// the run), ok, items, unit, peak_kib (the most resident memory so far) and, where there is one, scheduler. Returns 0;
/// 1 when a result was wrong (its line says `"ok": false` and why); 2 after one line on stderr for bad input.
int run_program(const program& what, int argc, char** argv);

}  // namespace jackdaw::bench
