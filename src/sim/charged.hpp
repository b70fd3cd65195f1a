#pragma once

#include "analysis/bounds.hpp"
#include "machine/model.hpp"

namespace jackdaw::sim {

/// What the runtime's own work on a machine adds to a bound on time, which the papers leave to O-notation.
///
/// Work, for each fork and each wait: the fork itself and its join, or its placement; what was forked is taken once at
/// most, from another socket at worst, by a worker that has looked in vain at three other places since its last event;
/// and the forking task is left and entered again at most once for its sake.
///
/// Delay, after each step: the worker that could go on may sleep and be woken, and then finds it when it has looked at
/// each worker of its squad and at each squad's pool, as a round of thieves does in the proof for plain stealing. A
/// look that finds nothing takes 40 ns at least. That victims are drawn at random makes this an expectation.
analysis::charges charges_of(const machine_model& machine, const analysis::squad_count& crew);

}  // namespace jackdaw::sim
