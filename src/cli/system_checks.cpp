#include "cli/system_checks.hpp"

#include <fmt/format.h>

#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/text.hpp"
#include "machine/cgroup.hpp"

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
  return {"membarrier", verdict::missing, code != 0 ? name_of_error(code) : "no private expedited barriers", fix};
}

system_check hardware_counters(const measure::counter_survey& counters) {
  constexpr const char* name = "hardware counters";
  if (!counters.events) return {name, verdict::missing, one_line(counters.failure->what), counters.failure->fix};
  const measure::counter_events& events = *counters.events;
  const std::string misses = fmt::format("{} misses of {}", events.cache, events.pmu);
  if (counters.failure) {
    return {name, verdict::missing, misses + ": " + one_line(counters.failure->what), counters.failure->fix};
  }
  const std::size_t more = events.miss_names.size() - 1;
  const std::string others = more == 0 ? "" : fmt::format(" and {} more", more);
  return {name, verdict::good, misses + " by " + events.miss_names[0] + others, ""};
}

// One page that lives as long as this, in memory by the time the constructor ends.
class touched_page {
 public:
  touched_page() : bytes(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address != MAP_FAILED) *static_cast<volatile char*>(address) = 1;
  }
  ~touched_page() {
    if (address != MAP_FAILED) munmap(address, bytes);
  }
  touched_page(const touched_page&) = delete;
  touched_page& operator=(const touched_page&) = delete;

  std::size_t bytes;
  void* address;
};

std::string memory_fix(int code, const char* call) {
  if (code == EPERM) {
    return "docker: --cap-add SYS_NICE; else " + fmt::format(fmt::runtime(not_filtered), call);
  }
  return code == ENOSYS ? "use a Linux built with CONFIG_NUMA" : "";
}

void memory_placement(std::vector<system_check>& checks) {
  touched_page page;
  if (page.address == MAP_FAILED) {
    checks.push_back({"mbind", verdict::missing, "no memory to try it on", ""});
    return;
  }
  int node = -1;
  const bool asked = syscall(SYS_move_pages, 0, 1UL, &page.address, nullptr, &node, 0) == 0;
  if (asked && node >= 0) {
    checks.push_back({"move_pages", verdict::good, "pages can be asked for their node and moved", ""});
  } else {
    const int code = asked ? -node : errno;  // a negative node is the page's own error
    checks.push_back({"move_pages", verdict::missing, name_of_error(code), memory_fix(code, "move_pages")});
  }
  const auto on = static_cast<unsigned>(node < 0 ? 0 : node);
  constexpr unsigned bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(on / bits + 1, 0);
  mask[on / bits] = 1UL << on % bits;
  if (syscall(SYS_mbind, page.address, page.bytes, MPOL_BIND, mask.data(), mask.size() * bits + 1, 0) == 0) {
    checks.push_back({"mbind", verdict::good, "memory can be bound to nodes", ""});
  } else {
    const int code = errno;
    checks.push_back({"mbind", verdict::missing, name_of_error(code), memory_fix(code, "mbind")});
  }
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
    return {"NUMA balancing", verdict::good, "on, but there is one node only", ""};
  }
  return {"NUMA balancing", verdict::notice, "on: the kernel moves pages behind the runtime's back",
          "as root: sysctl -w kernel.numa_balancing=0"};
}

}  // namespace

std::vector<system_check> check_system(const machine& where, const measure::counter_survey& counters) {
  std::vector<system_check> checks{membarrier(), hardware_counters(counters)};
  memory_placement(checks);
  checks.push_back(huge_pages());
  checks.push_back(numa_balancing(where));
  return checks;
}

}  // namespace jackdaw::cli
