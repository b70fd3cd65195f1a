#pragma once

#include "sim/memory/routes.hpp"

namespace jackdaw::sim {

/// Returns the point, 0 <= p < 1, at which a worker begins the transfers of each of its leaves. The points of workers
/// 0 to n - 1 are spread evenly for every n: the radical inverse of the number (van der Corput's sequence).
double phase_of(unsigned worker) noexcept;

/// Puts the transfers of a leaf into the order of their routes, and lets them begin at the point `phase` of the time
/// that they take alone. What lies before that point comes last; the transfer that the point lies in becomes two, of
/// which the second one goes on without another latency.
///
/// A real core has misses outstanding at all its sources at once, and so have all cores together: each source has work
/// as long as there is some for it. Cores that move source by source have that too if they begin at points that are
/// spread evenly. If all began with the source that they need first, all would wait for the same one. A core that has
/// the machine for itself takes the same time from every point.
void stagger(transfers& of, double phase, const routes& ways);

}  // namespace jackdaw::sim
