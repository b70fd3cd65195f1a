#include "profile/counters/address_events.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "profile/counters/counter_events.hpp"

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

const std::string devices = "/sys/bus/event_source/devices/";

// Before Haswell only two kinds of events have an address: loads by latency, and stores.
constexpr std::string_view miss_of_uops = "MEM_LOAD_UOPS_RETIRED:L3_MISS", miss = "MEM_LOAD_RETIRED:L3_MISS";
constexpr missed_loads loads_by_pmu[] = {
    {"hsw", miss_of_uops}, {"hsw_ep", miss_of_uops},
    {"bdw", miss_of_uops}, {"bdw_ep", miss_of_uops},
    {"skl", miss},         {"skx", miss},
    {"clx", miss},         {"icl", miss},
    {"icx", miss},         {"spr", miss},
};

std::optional<std::uint64_t> number_in(const file_reader& read, const std::string& path) {
  const std::optional<std::string> text = read(path);
  std::uint64_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) return {};
  return value;
}

// The kernel refuses rates above its limit, and lowers that limit itself when interrupts take long.
perf_event_attr sampling(const file_reader& read) {
  perf_event_attr event{};
  event.size = sizeof event;
  event.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;
  event.freq = 1;
  event.sample_freq = samples_a_second;
  if (const auto most = number_in(read, "/proc/sys/kernel/perf_event_max_sample_rate")) {
    event.sample_freq = std::clamp<std::uint64_t>(*most, 1, samples_a_second);
  }
  return event;
}

// Sets the PMU's bit of this name ("config:19", "config2:0"). False: the PMU has none.
bool set_flag(const file_reader& read, const std::string& name, perf_event_attr& event) {
  const std::optional<std::string> format = read(devices + "ibs_op/format/" + name);
  if (!format) return false;
  const std::size_t colon = std::min(format->find(':'), format->size());
  const std::string_view field(format->data(), colon);
  unsigned bit = 64;
  std::from_chars(format->data() + std::min(colon + 1, format->size()), format->data() + format->size(), bit);
  if (bit >= 64) return false;
  const std::uint64_t mask = std::uint64_t{1} << bit;
  if (field == "config") {
    event.config |= mask;
  } else if (field == "config2") {
    event.config2 |= mask;
  } else {
    return false;
  }
  return true;
}

address_event ibs_op(const file_reader& read, std::uint64_t type) {
  address_event found{.name = "AMD IBS op", .attributes = sampling(read)};
  perf_event_attr& event = found.attributes;
  event.type = static_cast<std::uint32_t>(type);
  event.sample_type |= PERF_SAMPLE_DATA_SRC;  // samples any op, whatever the source of its data
  set_flag(read, "cnt_ctl", event);           // counts ops instead of cycles between samples
  set_flag(read, "l3missonly", event);        // Zen 4: no interrupt for an op that did not miss the L3
  // Only the kernel can tell its own ops from the program's; older kernels refuse to exclude any.
  event.exclude_kernel = set_flag(read, "swfilt", event) ? 1 : 0;
  return found;
}

std::variant<address_event, counter_failure> pebs(const file_reader& read, perf_calls& kernel) {
  address_event found{.name = {}, .attributes = sampling(read)};
  perf_event_attr& event = found.attributes;
  event.precise_ip = 1;  // by PEBS: no other sample has the address of the data
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  // If the kernel refuses this for instructions, it refuses it for every event, and libpfm4, which takes ms, need not
  // be asked.
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  const int opened = kernel.open_for(event, 0);
  if (opened < 0) return explain_sampling_refusal(event, -opened, kernel.paranoid());
  kernel.close(opened);
  auto present = present_core_pmus();
  if (auto* failure = std::get_if<counter_failure>(&present)) return std::move(*failure);
  const std::vector<std::string>& pmus = std::get<0>(present);
  for (const missed_loads& row : loads_by_pmu) {
    if (std::find(pmus.begin(), pmus.end(), row.pmu) == pmus.end()) continue;
    auto code = encode_event(row.pmu, row.name);
    if (auto* failure = std::get_if<counter_failure>(&code)) return std::move(*failure);
    const event_code& encoded = std::get<event_code>(code);
    found.name = std::string(row.name) + " of " + std::string(row.pmu);
    event.type = encoded.type;
    event.config = encoded.config;
    event.config1 = encoded.config1;
    event.config2 = encoded.config2;
    return found;
  }
  return counter_failure{reason::unknown_processor, 0,
                         "no event is known that samples addresses of misses on this processor", ""};
}

}  // namespace

std::span<const missed_loads> known_missed_loads() { return loads_by_pmu; }

std::variant<address_event, counter_failure> find_address_event(const file_reader& read, perf_calls& kernel) {
  if (const auto type = number_in(read, devices + "ibs_op/type")) return ibs_op(read, *type);
  if (number_in(read, devices + "cpu/caps/max_precise").value_or(0) > 0) return pebs(read, kernel);
  return counter_failure{reason::absent, 0, "the processor shows neither PEBS nor IBS",
                         "in a virtual machine: give it a virtual PMU with PEBS or IBS, if the host supports that"};
}

counter_failure explain_sampling_refusal(const perf_event_attr& event, int code, std::optional<int> paranoid) {
  counter_failure why = explain_refusal(code, paranoid);
  if (code == EACCES && event.exclude_kernel == 0 && paranoid.value_or(0) > 1) {
    why.fix = "as root: sysctl -w kernel.perf_event_paranoid=1; or give the process CAP_PERFMON";
  } else if (code == EINVAL) {
    why.what = "perf_event_open: " + std::generic_category().message(code) +
               "; the kernel does not sample this event for a single thread here";
    why.fix = "use a newer Linux (AMD IBS: 6.2); in a virtual machine: give it all of the host's PMU";
  }
  return why;
}

counter_failure explain_buffer_refusal(int code, std::size_t bytes) {
  const std::string what = "a buffer of " + std::to_string(bytes) +
                           " B for samples cannot be mapped: " + std::generic_category().message(code);
  if (code != EPERM) return {reason::other, code, what, ""};
  return {reason::not_permitted, code, what + "; this would exceed the limit on locked memory",
          "as root: raise kernel.perf_event_mlock_kb; or raise ulimit -l"};
}

}  // namespace jackdaw::profile
