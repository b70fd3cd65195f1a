#include "profile/counters/counter_failure.hpp"

#include <cerrno>
#include <system_error>

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

constexpr int strictest = 2;  // highest kernel.perf_event_paranoid at which a process may count its own events

counter_failure not_permitted(int code, const std::string& error, int paranoid) {
  const std::string what = error + "; kernel.perf_event_paranoid is " + std::to_string(paranoid);
  if (paranoid > strictest) {
    return {reason::not_permitted, code, what,
            "as root: sysctl -w kernel.perf_event_paranoid=2; or give the process CAP_PERFMON"};
  }
  return {reason::not_permitted, code, what,
          "allow perf_event_open in the container (docker: --cap-add PERFMON, or --security-opt seccomp=...)"};
}

}  // namespace

counter_failure explain_refusal(int code, std::optional<int> paranoid) {
  const std::string error = "perf_event_open: " + std::generic_category().message(code);
  if (!paranoid || code == ENOSYS) {
    return {reason::absent, code, error + "; this kernel has no perf events",
            "use a Linux built with CONFIG_PERF_EVENTS"};
  }
  switch (code) {
    case EACCES:
    case EPERM:
      return not_permitted(code, error, *paranoid);
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
      return {reason::absent, code, error + "; the processor shows no such counter",
              "in a virtual machine: give it a virtual PMU on the host (QEMU: -cpu host,pmu=on)"};
    case EINVAL:
      return {reason::absent, code, error + "; the processor cannot count all of these events at once",
              "in a virtual machine: give it all counters of the host's PMU"};
    case EMFILE:
      return {reason::no_descriptors, code, error, "raise the limit on open files (ulimit -n): a worker needs up to 6"};
    case ENFILE:
      return {reason::no_descriptors, code, error, "as root: raise fs.file-max"};
    case EBUSY:
      return {reason::busy, code, error + "; something else uses the counters",
              "end other programs that count (perf, a debugger); as root: sysctl -w kernel.nmi_watchdog=0"};
    default:
      return {reason::other, code, error, ""};
  }
}

}  // namespace jackdaw::profile
