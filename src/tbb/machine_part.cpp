// What tbb::info calls.
#include "tbb/machine_part.hpp"

#include <algorithm>
#include <set>

#include "jackdaw/machine.hpp"
#include "tbb/arena.hpp"
#include "tbb/layout.hpp"

namespace jackdaw::onetbb {
namespace {

runtime& whole() { return default_arena().engine(); }

/// Calls f(place, node's number, type of the core) for each worker.
template <class F>
void for_each_worker(F f) {
  runtime& of = whole();
  const machine& where = of.where();
  for (unsigned i = 0; i < of.workers(); ++i) {
    const worker_place& at = of.place(i);
    f(at, static_cast<int>(where.nodes[at.numa_node].os_index), static_cast<int>(where.cores[at.core].type));
  }
}

/// The nodes, or types of cores, that have workers, ascending.
std::set<int> nodes() {
  std::set<int> found;
  for_each_worker([&](const worker_place&, int node, int) { found.insert(node); });
  return found;
}
std::set<int> core_types() {
  std::set<int> found;
  for_each_worker([&](const worker_place&, int, int type) { found.insert(type); });
  return found;
}

}  // namespace

int workers_on(const machine_part& where) {
  int count = 0;
  for_each_worker([&](const worker_place&, int node, int type) {
    if ((where.node < 0 || where.node == node) && (where.core_type < 0 || where.core_type == type)) ++count;
  });
  return std::max(count, 1);
}

}  // namespace jackdaw::onetbb

namespace tbb::detail::r1 {

using namespace jackdaw::onetbb;

unsigned numa_node_count() { return static_cast<unsigned>(nodes().size()); }

void fill_numa_indices(int* to) {
  for (const int each : nodes()) *to++ = each;
}

int numa_default_concurrency(int node) { return workers_on({node, -1}); }

unsigned core_type_count(std::intptr_t) { return static_cast<unsigned>(core_types().size()); }

void fill_core_type_indices(int* to, std::intptr_t) {
  for (const int each : core_types()) *to++ = each;
}

int constraints_default_concurrency(const d1::constraints& of, std::intptr_t) {
  return workers_on({of.numa_id, of.core_type});
}

int constraints_threads_per_core(const d1::constraints& of, std::intptr_t) { return of.max_threads_per_core; }

}  // namespace tbb::detail::r1
