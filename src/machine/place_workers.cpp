#include <jackdaw/machine.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace jackdaw {
namespace {

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

// A core, or everything below one L3, NUMA domain or package, while workers are being handed out.
struct bin {
  unsigned capacity = 0;  // workers it still takes; unlimited never runs out
  unsigned workers = 0;   // workers it has
};

// How many of `count` workers each bin gets in addition. Scattered: as evenly as the capacities allow; earlier bins get
// the odd ones. Compact: fills one bin after another.
std::vector<unsigned> hand_out(unsigned count, std::vector<bin> bins, placement_order order) {
  std::vector<unsigned> given(bins.size(), 0);
  for (; count > 0; --count) {
    std::size_t best = bins.size();
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (given[i] == bins[i].capacity && bins[i].capacity != unlimited) continue;
      const bool better = best == bins.size() || (order == placement_order::scatter &&
                                                  bins[i].workers + given[i] < bins[best].workers + given[best]);
      if (better) best = i;
    }
    if (best == bins.size()) break;
    ++given[best];
  }
  return given;
}

// The level of the tree at which cores' paths are compared.
unsigned key(const machine::core& core, unsigned level) {
  switch (level) {
    case 0:
      return core.package;
    case 1:
      return core.numa_node;
    case 2:
      return core.l3_group;
    default:
      return core.index;
  }
}

// Hands `count` workers to `cores`, which all agree on the levels above `level`; bins[i] belongs to cores[i].
void hand_down(unsigned count, unsigned level, std::span<const machine::core* const> cores, std::span<bin> bins,
               placement_order order) {
  constexpr unsigned leaf_level = 4;
  if (count == 0) return;
  if (level == leaf_level) {
    bins[0].workers += count;
    if (bins[0].capacity != unlimited) bins[0].capacity -= count;
    return;
  }
  std::vector<std::size_t> starts;
  std::vector<bin> children;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (i == 0 || key(*cores[i], level) != key(*cores[i - 1], level)) {
      starts.push_back(i);
      children.emplace_back();
    }
    bin& child = children.back();
    child.workers += bins[i].workers;
    child.capacity = bins[i].capacity == unlimited ? unlimited : child.capacity + bins[i].capacity;
  }
  starts.push_back(cores.size());
  const std::vector<unsigned> given = hand_out(count, children, order);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t length = starts[i + 1] - starts[i];
    hand_down(given[i], level + 1, cores.subspan(starts[i], length), bins.subspan(starts[i], length), order);
  }
}

/// Returns the cores that `workers` workers are placed on: all usable ones; or, if those of the faster types are
/// enough, only these.
std::vector<const machine::core*> choose_cores(const machine& from, unsigned workers) {
  std::vector<const machine::core*> chosen;
  for (std::size_t type = std::max<std::size_t>(from.core_types.size(), 1); type-- > 0 && chosen.size() < workers;) {
    for (const machine::core& each : from.cores) {
      const bool is_of_type = from.core_types.empty() || each.type == type;
      if (is_of_type && !each.usable_os_cpus.empty()) chosen.push_back(&each);
    }
  }
  return chosen;
}

}  // namespace

std::vector<worker_place> machine::place_workers(unsigned workers, placement_order order) const {
  if (workers == 0) workers = default_workers();

  std::vector<const core*> taken = choose_cores(*this, workers);
  const auto path = [](const core* c) { return std::tuple(c->package, c->numa_node, c->l3_group, c->index); };
  std::sort(taken.begin(), taken.end(), [&](const core* a, const core* b) { return path(a) < path(b); });
  if (taken.empty()) return std::vector<worker_place>(workers);

  std::vector<bin> bins(taken.size());
  const bool pinned = bindable() && workers <= usable_cpus();
  if (workers > usable_cpus()) {
    // Not every worker can have a CPU of its own: spreads them evenly in either order, so that every package gets its
    // part.
    for (bin& b : bins) b.capacity = unlimited;
    hand_down(workers, 0, taken, bins, placement_order::scatter);
  } else {
    for (bin& b : bins) b.capacity = 1;
    const unsigned alone = std::min(workers, static_cast<unsigned>(taken.size()));
    hand_down(alone, 0, taken, bins, order);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i].capacity = static_cast<unsigned>(taken[i]->usable_os_cpus.size()) - bins[i].workers;
    }
    hand_down(workers - alone, 0, taken, bins, order);
  }

  std::vector<worker_place> places;
  places.reserve(workers);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const core& c = *taken[i];
    for (unsigned k = 0; k < bins[i].workers; ++k) {
      places.push_back({.core = c.index,
                        .os_cpu = pinned ? std::optional(c.usable_os_cpus[k]) : std::nullopt,
                        .package = c.package,
                        .numa_node = c.numa_node,
                        .l3_group = c.l3_group});
    }
  }
  return places;
}

}  // namespace jackdaw
