#pragma once

#include <cstdint>
#include <vector>

#include "jackdaw/machine.hpp"
#include "runtime/cpu_mask.hpp"
#include "sched/task_runner.hpp"

namespace jackdaw::detail {

// What a machine says of workers at these places. The places are numbered as by machine::place_workers().

/// Returns the squads: adjacent workers in one NUMA domain of one package.
std::vector<sched::squad> squads_of(const machine& where, const std::vector<worker_place>& places);

/// Returns the same divided by L3 caches. Cores that share only an L2 are too few for a squad.
std::vector<sched::squad> cache_squads_of(const machine& where, const std::vector<worker_place>& places);

/// Returns the size in bytes of the private cache of each worker's core; 0: not known.
std::vector<std::uint64_t> private_caches(const machine& where, const std::vector<worker_place>& places);

/// Returns the processors that a worker may use: its own, those of its L3 group, or all that the process may use.
std::vector<unsigned> cpus_of(const machine& where, const worker_place& place);

/// Whether each worker is pinned: to a processor, or to those of its L3 group.
bool are_pinned(const std::vector<worker_place>& places);

/// Returns the processors that this process may use, by the operating system's numbers.
std::vector<unsigned> usable_cpus(const machine& where);

/// The same as an affinity mask. Takes no memory.
cpu_mask usable_mask(const machine& where) noexcept;

}  // namespace jackdaw::detail
