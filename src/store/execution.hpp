#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace jackdaw::store {

/// Rows that the caller keeps.
template <class T>
struct rows_of {
  const T* first = nullptr;
  std::size_t count = 0;

  const T* begin() const noexcept { return first; }
  const T* end() const noexcept { return first + count; }
};

/// What one runtime did, as the results file keeps it: the tables `execution` and `execution_*` of result_schema.cpp,
/// whose comments say what the members mean. It is plain data, because it crosses from a program's copy of the library
/// to libjackdaw-stats.so, which may be of another compiler. Texts are never null and end with 0. A `number` or a
/// double that is not known becomes NULL.
struct execution {
  using number = std::int64_t;
  static constexpr number no_number = std::numeric_limits<number>::min();
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

  struct worker {
    number id, os_cpu, core, cache, package, node, tasks, roots, steals_core, steals_cache, steals_package,
        steals_remote, failed_local, failed_remote, at_home, away, migrations, suspensions, sleeps, rescues;
    double busy_ns, search_ns, sleep_ns, overhead_ns, memory_ns;
    number local_bytes, remote_bytes;
    double awake_ns = not_known, cpu_ns = not_known, ready_ns = not_known;
    number preemptions = no_number;
  };
  struct steal {
    number thief, victim, steals, failed;
  };
  struct node {
    number index;
    const char* kind;
    number package, capacity;
    double bandwidth;
  };
  struct array {
    const char* name;        ///< '' if the program has not named it: then the code at `used_at` does
    std::uintptr_t used_at;  ///< 0: not known
    const char* source;
    number bytes, first_touched_by, first_touched_bytes;
  };
  struct traffic {
    number array, worker, node, bytes;
  };
  struct place {
    number array, node, bytes;
  };
  struct share {
    number array, part, parts, worker, bytes, written;
  };
  struct iteration {
    const char* region;   ///< '' if the program has not named it: then the code at `site` does
    std::uintptr_t site;  ///< 0: a task from outside, as a whole
    double begin_ns, duration_ns;
  };
  struct decision {
    double at_ns;
    number worker;
    const char* name;
    number value;
    const char* says;
  };
  struct task {
    number id, parent, worker;
    double begin_ns, end_ns;
    number depth;
    double span_begin, span_end;
  };

  const char* started = "";
  const char* kind = "measured";
  const char* program = "";
  const char* scheduler = "";
  const char* machine = "";
  const char* machine_source = "";
  const char* placement = "";
  double seconds = 0, work_ns = not_known, span_ns = not_known, burdened_span_ns = not_known;
  number bench = no_number, position = no_number, round = no_number, simulated_run = no_number;
  const char* process = "";  ///< '': NULL
  double process_seconds = not_known, process_cpu_seconds = not_known;

  rows_of<worker> workers = {};
  rows_of<steal> steals = {};
  rows_of<node> nodes = {};
  rows_of<array> arrays = {};
  rows_of<traffic> traffics = {};
  rows_of<place> places = {};
  rows_of<share> shares = {};
  rows_of<iteration> iterations = {};
  rows_of<decision> decisions = {};
  rows_of<task> tasks = {};
};

}  // namespace jackdaw::store
