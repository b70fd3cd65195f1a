#include "cli/doctor/system_checks.hpp"

#include <fmt/format.h>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <variant>

#include "cli/text.hpp"
#include "machine/cgroup.hpp"
#include "numa/numa_kernel.hpp"
#include "numa/survey.hpp"
#include "profile/hotness/hotness.hpp"
#include "profile/hotness/thread_samples.hpp"

namespace jackdaw::cli {
namespace {

using verdict = system_check::verdict;

constexpr const char* not_filtered = "run with a seccomp profile that permits {} (docker: --security-opt seccomp=...)";

std::string first_line(const char* path) {
  const auto text = read_text_file(path);
  return text ? one_line(text->substr(0, text->find('\n'))) : "";
}

std::string name_of_error(int code) { return std::generic_category().message(code); }

// The word in brackets: "always [madvise] never".
std::string chosen(const std::string& choices) {
  const std::size_t open = choices.find('['), close = choices.find(']');
  return open < close && close != choices.npos ? choices.substr(open + 1, close - open - 1) : choices;
}

system_check membarrier() {
  const long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (commands >= 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
    return {"membarrier", verdict::good, "private expedited barriers are available", ""};
  }
  const int code = commands < 0 ? errno : 0;
  const std::string fix = code == EPERM ? fmt::format(fmt::runtime(not_filtered), "membarrier")
                                        : "use a Linux of version 4.14 or newer, built with CONFIG_MEMBARRIER";
  return {"membarrier", verdict::missing,
          (code != 0 ? name_of_error(code) : "no private expedited barriers") + "; every fork takes a lock", fix};
}

system_check hardware_counters(const profile::counter_survey& counters) {
  constexpr const char* name = "hardware counters";
  if (!counters.events) return {name, verdict::missing, one_line(counters.failure->what), counters.failure->fix};
  const profile::counter_events& events = *counters.events;
  const std::string misses = fmt::format("{} misses of {}", events.cache, events.pmu);
  if (counters.failure) {
    return {name, verdict::missing, misses + ": " + one_line(counters.failure->what), counters.failure->fix};
  }
  const std::size_t more = events.miss_names.size() - 1;
  const std::string others = more == 0 ? "" : fmt::format(" and {} more", more);
  const std::string memory = events.memory ? "; local and remote memory by " + events.memory->local_name : "";
  return {name, verdict::good, misses + " by " + events.miss_names[0] + others + memory, ""};
}

std::string memory_fix(int code, const char* call) {
  if (code == EPERM) {
    return "docker: --cap-add SYS_NICE; else " + fmt::format(fmt::runtime(not_filtered), call);
  }
  return code == ENOSYS ? "use a Linux built with CONFIG_NUMA" : "";
}

system_check weighted_interleaving(int code) {
  constexpr const char* name = "weighted interleaving";
  if (code == 0) return {name, verdict::good, "pages can be interleaved by the kernel's weights", ""};
  if (code == EINVAL) {
    return {name, verdict::notice, "not in this kernel: placement by bandwidth is contiguous",
            "use a Linux of version 6.9 or newer"};
  }
  return {name, verdict::notice, name_of_error(code), memory_fix(code, "mbind")};
}

// The nodes that memory can be placed on, and how.
system_check placement_reach(const numa::memory_survey& found) {
  constexpr const char* name = "memory placement";
  if (found.bindable.empty() && found.touchable.empty()) {
    return {name, verdict::notice, "this machine exists only as a description: nothing can be placed", ""};
  }
  if (found.bind == 0) return {name, verdict::good, "by mbind on nodes " + ranges_text(found.bindable), ""};
  const std::string touched = "by pinned first touch on nodes " + ranges_text(found.touchable);
  if (found.out_of_reach.empty()) return {name, verdict::notice, touched, memory_fix(found.bind, "mbind")};
  return {name, verdict::missing, touched + "; out of reach: nodes " + ranges_text(found.out_of_reach),
          memory_fix(found.bind, "mbind")};
}

void memory_placement(const machine& where, std::vector<system_check>& checks) {
  const numa::memory_survey found = numa::survey_memory(where);
  if (found.move == 0) {
    checks.push_back({"move_pages", verdict::good, "pages can be asked for their node and moved", ""});
  } else {
    const std::string rest = found.query == 0 ? "; pages can still be asked for their node" : "";
    checks.push_back(
        {"move_pages", verdict::missing, name_of_error(found.move) + rest, memory_fix(found.move, "move_pages")});
  }
  if (found.bind == 0) {
    checks.push_back({"mbind", verdict::good, "memory can be bound to nodes", ""});
  } else {
    checks.push_back({"mbind", verdict::missing, name_of_error(found.bind), memory_fix(found.bind, "mbind")});
  }
  checks.push_back(weighted_interleaving(found.weighted));
  checks.push_back(placement_reach(found));
}

// BATS balances memory by these samples, if there are enough of them.
system_check address_samples() {
  constexpr const char* name = "address samples";
  const auto found = profile::survey_address_samples();
  if (const auto* failure = std::get_if<profile::counter_failure>(&found)) {
    return {name, verdict::notice, one_line(failure->what), failure->fix};
  }
  return {name, verdict::good, "of misses, by " + std::get<std::string>(found), ""};
}

// BATS balances memory by page hotness when there are too few address samples.
system_check page_hotness(const machine& where) {
  constexpr const char* name = "page hotness";
  if (!where.bindable())
    return {name, verdict::notice, "this machine exists only as a description: it has no pages", ""};
  const int code = profile::survey_accessed_bits();
  if (code == 0) return {name, verdict::good, "by accessed bits of sampled pages (MADV_COLD, /proc/self/smaps)", ""};
  const std::string fix = code == EINVAL   ? "use a Linux of version 5.4 or newer"
                          : code == ENOENT ? "mount /proc; use a Linux built with CONFIG_PROC_PAGE_MONITOR"
                          : code == EPERM  ? fmt::format(fmt::runtime(not_filtered), "madvise")
                                           : "";
  return {name, verdict::notice, "by declared accesses only; accessed bits: " + name_of_error(code), fix};
}

system_check touch_policies() {
  constexpr const char* name = "first touches";
  numa::numa_kernel& kernel = numa::linux_kernel();
  numa::touch_policy now;
  int code = kernel.policy(now);
  if (code == 0) code = kernel.set_policy(now);
  if (code == 0) return {name, verdict::good, "a scheduler can send them to any node (set_mempolicy)", ""};
  return {name, verdict::missing, name_of_error(code) + ": they go to the worker's own node",
          memory_fix(code, "set_mempolicy")};
}

system_check huge_pages() {
  const std::string mode = chosen(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  if (mode.empty()) {
    return {"transparent huge pages", verdict::notice, "not built into this kernel", ""};
  }
  if (mode == "never") {
    return {"transparent huge pages", verdict::notice, "never",
            "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
  }
  return {"transparent huge pages", verdict::good, mode, ""};
}

system_check numa_balancing(const machine& where) {
  const std::string mode = first_line("/proc/sys/kernel/numa_balancing");
  if (mode.empty()) return {"NUMA balancing", verdict::good, "not built into this kernel", ""};
  if (mode == "0") return {"NUMA balancing", verdict::good, "off", ""};
  if (where.bindable() && where.nodes.size() == 1) {
    return {"NUMA balancing", verdict::good, "on, but there is only one node", ""};
  }
  return {"NUMA balancing", verdict::notice, "on: the kernel moves pages behind the runtime's back",
          "as root: sysctl -w kernel.numa_balancing=0"};
}

}  // namespace

std::vector<system_check> check_system(const machine& where, const profile::counter_survey& counters) {
  std::vector<system_check> checks{membarrier(), hardware_counters(counters)};
  memory_placement(where, checks);
  checks.push_back(touch_policies());
  checks.push_back(address_samples());
  checks.push_back(page_hotness(where));
  checks.push_back(huge_pages());
  checks.push_back(numa_balancing(where));
  return checks;
}

}  // namespace jackdaw::cli
