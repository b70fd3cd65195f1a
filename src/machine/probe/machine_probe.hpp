#pragma once

#include <jackdaw/machine.hpp>

#include <string>

#include "machine/model.hpp"

/// Describes this computer as a machine file: its topology as found, its figures as measured.
namespace jackdaw::probe {

/// The parts of `found` that need no measuring: sockets (the usable cores that share a last-level cache and a NUMA
/// domain), cache sizes, memory nodes, and a link between every two sockets. A NUMA domain with several last-level
/// caches is split into as many equal nodes, one for each socket; a cache over several NUMA domains is split likewise.
/// All other figures are `assumed`, with the values of a current server. Throws error when no core is usable.
machine_model outline_machine(const machine& found);

/// outline_machine, with every measurable figure measured, in at most about five seconds; `date` goes into their notes.
/// Throws error unless `found` is this computer, and std::bad_alloc if there is too little memory.
machine_model measure_machine(const machine& found, const std::string& date);

/// Returns the ns that a fork of the lower tier takes with its join, on one worker of this computer. Takes 20 ms. Not
/// while this process has a runtime at work.
double time_fork();

}  // namespace jackdaw::probe
