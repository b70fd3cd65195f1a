#pragma once

#include "analysis/bounds.hpp"
#include "machine/model.hpp"

namespace jackdaw::sim {

/// The costs of the runtime's own work on a machine, which are added to a bound on time. The papers leave them to
/// O-notation.
///
/// Work, for each fork and each wait: the fork and its join, or its placement. What was forked is taken at most once,
/// at worst from another socket, by a worker that has looked in vain at three other places since its last event. The
/// forking task is suspended and resumed at most once because of it.
///
/// Delay, after each step: the worker that could continue may sleep and have to be woken. It then finds the task after
/// a look at each worker of its squad and at each squad's pool, as a round of thieves does in the proof for plain
/// stealing. A look that finds nothing takes at least 40 ns, and at each place others may come first. The delay is an
/// expectation, because victims are drawn at random.
///
/// A step may have to wake a sleeper for what it forks, and two for what it finds. Other calls that wake sleepers are
/// one for each sleep at most, and a worker looks for 150 us before it sleeps: they lengthen all delays by that ratio.
analysis::charges charges_of(const machine_model& machine, const analysis::squad_count& crew);

}  // namespace jackdaw::sim
