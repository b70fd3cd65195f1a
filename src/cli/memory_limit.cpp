#include "cli/memory_limit.hpp"

#include <fmt/format.h>
#include <jackdaw/error.hpp>

#include <system_error>
#include <vector>

#include "numa/node_view.hpp"
#include "numa/numa_kernel.hpp"

namespace jackdaw::cli {

void limit_memory(const std::string& kind, const machine& where) {
  if (kind == "all") return;
  if (kind != "dram" && kind != "hbm") throw error(fmt::format("--memory: '{}', expected dram, hbm or all", kind));
  const auto wanted = kind == "dram" ? numa::memory_kind::dram : numa::memory_kind::hbm;
  const numa::memory_view view = numa::view_of(where, where.bindable() ? numa::allowed_nodes() : std::nullopt);
  std::vector<unsigned> nodes;
  for (const numa::node_view& each : view.nodes) {
    if (each.allowed && numa::kind_of(each, view) == wanted) nodes.push_back(each.os);
  }
  if (nodes.empty()) {
    throw error(
        fmt::format("--memory: {} has no {} node that may be used, expected a kind of memory that it has and allows",
                    where.name, kind));
  }
  if (!where.bindable()) {
    throw error(
        fmt::format("--memory: the machine exists only as a description ({}), expected this computer", where.source));
  }
  if (const int code = numa::linux_kernel().set_policy(numa::only_to(nodes))) {
    throw error(
        fmt::format("--memory: the kernel refuses set_mempolicy ({}), expected permission to call it (docker: "
                    "--cap-add SYS_NICE)",
                    std::generic_category().message(code)));
  }
}

}  // namespace jackdaw::cli
