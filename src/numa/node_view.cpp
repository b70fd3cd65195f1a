#include "numa/node_view.hpp"

#include <algorithm>

#include "numa/numa_kernel.hpp"

namespace jackdaw::numa {
namespace {

const machine::cpu* find_cpu(const machine& where, unsigned os_index) {
  const auto found = std::find_if(where.cpus.begin(), where.cpus.end(),
                                  [&](const machine::cpu& each) { return each.os_index == os_index; });
  return found == where.cpus.end() ? nullptr : &*found;
}

/// The CPUs of a list that threads may be pinned to: those in the caller's affinity mask, or those in the cpuset if
/// there are none, as the caller may itself be pinned.
std::vector<unsigned> pinnable(const machine& where, const std::vector<unsigned>& os_cpus) {
  std::vector<unsigned> usable, elsewhere;
  for (const unsigned os : os_cpus) {
    const machine::cpu* const cpu = find_cpu(where, os);
    if (cpu == nullptr) continue;
    if (cpu->state == machine::cpu_state::usable) usable.push_back(os);
    if (cpu->state == machine::cpu_state::not_in_affinity) elsewhere.push_back(os);
  }
  return usable.empty() ? elsewhere : usable;
}

/// The first core near the node, which all nodes of a socket share.
unsigned first_core(const machine& where, const machine::node& node) {
  for (const machine::core& core : where.cores) {
    for (const unsigned cpu : core.os_cpus) {
      if (std::find(node.local_cpus.begin(), node.local_cpus.end(), cpu) != node.local_cpus.end()) return core.index;
    }
  }
  return static_cast<unsigned>(where.cores.size());
}

}  // namespace

const node_view& memory_view::node(unsigned os) const {
  return *std::find_if(nodes.begin(), nodes.end(), [&](const node_view& each) { return each.os == os; });
}

bool calls_itself_fast(const node_view& node) noexcept { return node.kind == "HBM" || node.kind == "MCDRAM"; }

memory_kind kind_of(const node_view& node, const memory_view& among) noexcept {
  if (calls_itself_fast(node)) return memory_kind::hbm;
  if (node.kind.starts_with("CXL")) return memory_kind::cxl;
  if (!node.kind.empty() || !node.cpu_less || !node.bandwidth) return memory_kind::dram;
  double usual = 0;
  for (const node_view& each : among.nodes) {
    if (!each.cpu_less) usual = std::max(usual, each.bandwidth.value_or(0));
  }
  if (usual == 0 || *node.bandwidth == usual) return memory_kind::dram;
  return *node.bandwidth > usual ? memory_kind::hbm : memory_kind::cxl;
}

memory_view view_of(const machine& where, const std::optional<std::vector<unsigned>>& allowed) {
  memory_view view{.nodes = {}, .real = where.bindable(), .measured = where.bandwidths_measured};
  for (const machine::node& node : where.nodes) {
    node_view seen{.os = node.os_index, .socket = first_core(where, node), .cpu_less = node.cpu_less};
    seen.allowed = !allowed || std::find(allowed->begin(), allowed->end(), node.os_index) != allowed->end();
    if (view.real && node.capacity == 0) seen.allowed = false;
    if (node.capacity != 0) seen.room = node.capacity;
    seen.bandwidth = node.bandwidth;
    seen.kind = node.kind;
    seen.nearby = pinnable(where, node.local_cpus);
    if (!node.cpu_less) {
      std::vector<unsigned> own;
      for (const unsigned core : node.cores) {
        own.insert(own.end(), where.cores[core].os_cpus.begin(), where.cores[core].os_cpus.end());
      }
      seen.cpus = pinnable(where, own);
    }
    view.nodes.push_back(std::move(seen));
  }
  return view;
}

memory_view view_now(const machine& where) {
  memory_view view = view_of(where, where.bindable() ? allowed_nodes() : std::nullopt);
  if (view.real) {
    for (node_view& node : view.nodes) {
      if (const auto free = free_bytes(node.os)) node.room = *free;
    }
  }
  return view;
}

}  // namespace jackdaw::numa
