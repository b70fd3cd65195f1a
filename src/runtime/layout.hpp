#pragma once

#include <cstdint>
#include <vector>

#include "jackdaw/machine.hpp"
#include "sched/task_runner.hpp"

namespace jackdaw::detail {

// What a machine says of workers at these places, which are numbered as machine::place_workers() does it.

/// Neighbours in one NUMA domain of one package.
std::vector<sched::squad> squads_of(const machine& where, const std::vector<worker_place>& places);

/// Of each worker's core, in bytes; 0: not known.
std::vector<std::uint64_t> private_caches(const machine& where, const std::vector<worker_place>& places);

/// Whether each worker stays on its processor.
bool are_pinned(const std::vector<worker_place>& places);

/// The processors that this process may use, as the operating system numbers them.
std::vector<unsigned> usable_cpus(const machine& where);

}  // namespace jackdaw::detail
