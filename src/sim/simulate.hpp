#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "machine/model.hpp"
#include "sched/event.hpp"
#include "sched/settings.hpp"
#include "sim/execution.hpp"
#include "sim/memory/balancing.hpp"
#include "sim/memory/memory.hpp"
#include "sim/worker.hpp"
#include "trace/task_tree.hpp"

namespace jackdaw::sim {

/// One run of a recorded program on a described machine.
struct scenario {
  std::string scheduler = "adws";
  std::string placement = "first-touch";  ///< of memory, see parse_policy
  unsigned workers = 0;                   ///< 0: one for each core
  bool scatter = true;                    ///< spread evenly over the sockets, else one socket after another
  std::uint64_t seed = 1;
  bool rescues = true;                          ///< a worker that is idle for long takes what was placed for others
  hotness sees = hotness::accessed_bits;        ///< how schedulers learn what data are hot
  sched::settings told = {};                    ///< what the scheduler is told of the program
  std::vector<sched::event>* events = nullptr;  ///< receives the scheduler's events, unless null
  execution* ran = nullptr;                     ///< receives what was done with the tree, unless null
};

/// Memory that the recording names.
struct named_array {
  static constexpr std::int64_t not_known = std::numeric_limits<std::int64_t>::min(), outside = -1;

  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t first_touched_by =
      not_known;  ///< the worker that touched most of it first, if pages lie by first touch;
                  ///< outside: none of them did
  std::uint64_t first_touched_bytes = 0;
  std::vector<std::uint64_t> on_node;  ///< bytes, at the end
};

/// What a worker has fetched from a memory node of a named array.
struct named_use {
  std::uint32_t array = 0;  ///< index into outcome::named
  unsigned node = 0;
  std::uint64_t bytes = 0;
};

/// What one worker did in a whole simulation, and the accesses of its core.
struct worker_outcome {
  unsigned core = 0, socket = 0;
  worker_counters work;
  memory_counters data;          ///< 0 for all but the first worker of a core
  std::vector<named_use> named;  ///< empty for all but that one; no bytes are left out
};

/// A stretch of a simulated program: from the fork with which a root's own code opens a group while none is open to the
/// wait that leaves none open, or a whole root.
struct stretch {
  static constexpr std::uint32_t root = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t site = root;    ///< that opened the first group: index into task_tree::sites; `root`: a whole root
  double began = 0, ended = 0;  ///< ns since the first root's beginning
};

/// What the scheduler has decided, see sched::decision.
struct decided_at {
  double at = 0;  ///< ns since the first root's beginning
  std::uint32_t worker = 0;
  const sched::decision* what = nullptr;
  std::int64_t value = 0;
};

/// The results of a simulation. All but `whole`, `iterations`, `course`, `decisions` and those marked below cover the
/// measured part only: the second half of the iterations, when caches and pages have settled. It begins when the first
/// half has ended.
/// Iterations are those of the region that the program's run forks most often at its top level. If the program does not
/// iterate, the whole run is measured.
struct outcome {
  static constexpr std::size_t most_kept = 100'000;  ///< of stretches, and of decisions; later ones are left out

  double whole = 0;                          ///< ns from the first root's beginning to the last one's end
  std::vector<double> iterations;            ///< ns of each iteration, in order; empty if the program does not iterate
  std::vector<stretch> course;               ///< of all roots, in order: the groups, or the roots if none opens any
  std::vector<decided_at> decisions;         ///< of all roots, in order
  unsigned measured = 1;                     ///< iterations measured; 1 if it does not iterate
  std::string region;                        ///< the call site whose groups end the iterations; empty if there are none
  std::string root;                          ///< which one was measured, as text; empty if there is no other
  double time = 0;                           ///< ns measured
  worker_counters work;                      ///< sums over the workers
  memory_counters data;                      ///< sums over the cores
  std::uint64_t local_bytes = 0;             ///< from memory, or another group's caches, of the reader's own socket
  std::uint64_t remote_bytes = 0;            ///< from memory or caches of another socket
  std::vector<std::uint64_t> local_to_node;  ///< of from_node: bytes read by cores of the node's own socket
  unsigned workers = 0;
  std::vector<worker_outcome> by_worker;  ///< of the whole simulation
  std::vector<named_array> named;         ///< of the whole simulation
  double longest_beside_work = 0;         ///< ns that a worker was idle beside work without a break; whole simulation
  balancing_cost balancing;               ///< of the whole simulation
  std::size_t most_frames = 0;  ///< tasks placed or begun and not ended, the most at once in the whole simulation
  std::uint64_t events = 0;     ///< of the whole simulation
  std::uint64_t accesses = 0;   ///< blocks touched in the whole simulation
  bool seeded = false;          ///< the seed was used; if not, all seeds have this outcome

  double per_iteration() const noexcept { return time / measured; }
  /// The part of the workers' time, 0 to 1, in which they did not compute, wait for data or do the runtime's work.
  double idle() const noexcept {
    const double all = time * workers;
    return all > 0 ? std::max(0.0, 1 - (work.computing + work.memory + work.overhead) / all) : 0;
  }
};

/// Runs a scenario. The same arguments give the same outcome, to the last bit. Throws error for a scheduler, a
/// placement or a number of workers that does not fit, and std::logic_error if an invariant of the simulation breaks.
outcome simulate(const trace::task_tree& tree, const address_space& space, const machine_model& machine,
                 const scenario& what);

}  // namespace jackdaw::sim
