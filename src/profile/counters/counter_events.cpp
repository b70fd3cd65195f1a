#include "profile/counters/counter_events.hpp"

#include <linux/perf_event.h>
#include <perfmon/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include <algorithm>
#include <mutex>
#include <type_traits>

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

// libpfm4 is not thread-safe. It stays initialised, because its findings do not change.
class pfm {
 public:
  pfm() : lock(mutex()) {
    static const int initialised = pfm_initialize();
    status = initialised;
  }

  counter_failure failure() const { return {reason::other, 0, std::string("libpfm4: ") + pfm_strerror(status), ""}; }

  // Visits libpfm4's descriptions of the core PMUs it was built with.
  template <class F>
  static void for_each_core_pmu(const F& visit) {
    for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; ++i) {
      pfm_pmu_info_t info{};
      info.size = sizeof info;
      const bool known = pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &info) == PFM_SUCCESS;
      if (known && info.type == PFM_PMU_TYPE_CORE) visit(info);
    }
  }

  int status = PFM_SUCCESS;

  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }

 private:
  std::lock_guard<std::mutex> lock;
};

std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Nullopt: the processor has no such events. If only libpfm4 does not know them, the other events still count.
std::optional<counter_events::memory_codes> find_memory_codes(std::string_view pmu) {
  for (const memory_events& row : known_memory_events()) {
    if (row.pmu != pmu) continue;
    const auto local = encode_event(pmu, row.local), remote = encode_event(pmu, row.remote);
    const auto* const near = std::get_if<event_code>(&local);
    const auto* const far = std::get_if<event_code>(&remote);
    if (near == nullptr || far == nullptr) return {};
    return counter_events::memory_codes{std::string(row.local), std::string(row.remote), *near, *far};
  }
  return {};
}

}  // namespace

void keep_event_names() noexcept { pfm::mutex().lock(); }
void release_event_names() noexcept { pfm::mutex().unlock(); }

event_code retired_instructions() { return {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS}; }

std::variant<const miss_events*, counter_failure> choose_miss_events(std::span<const std::string> present_pmus) {
  for (const std::string& pmu : present_pmus) {
    for (const miss_events& row : known_miss_events()) {
      if (row.pmu == pmu) return &row;
    }
  }
  if (present_pmus.empty()) {
    return counter_failure{reason::unknown_processor, 0, "libpfm4 does not know this processor",
                           "build jackdaw with a newer libpfm4, if one knows it"};
  }
  return counter_failure{reason::unknown_processor, 0,
                         "no event is known for misses of the last private cache of this processor (libpfm4: " +
                             joined(present_pmus) + ")",
                         ""};
}

std::variant<std::vector<std::string>, counter_failure> present_core_pmus() {
  const pfm library;
  if (library.status != PFM_SUCCESS) return library.failure();
  std::vector<std::string> names;
  pfm::for_each_core_pmu([&names](const pfm_pmu_info_t& info) {
    if (info.is_present) names.emplace_back(info.name);
  });
  return names;
}

bool knows_pmu(std::string_view pmu) {
  const pfm library;
  bool known = false;
  pfm::for_each_core_pmu([&](const pfm_pmu_info_t& info) { known = known || info.name == pmu; });
  return known;
}

std::variant<event_code, counter_failure> encode_event(std::string_view pmu, std::string_view name) {
  const pfm library;
  if (library.status != PFM_SUCCESS) return library.failure();
  perf_event_attr attributes{};
  pfm_perf_encode_arg_t wanted{};
  wanted.size = sizeof wanted;
  wanted.attr = &attributes;
  const std::string full = std::string(pmu) + "::" + std::string(name);
  const int status = pfm_get_os_event_encoding(full.c_str(), PFM_PLM3, PFM_OS_PERF_EVENT, &wanted);
  if (status != PFM_SUCCESS) {
    return counter_failure{reason::unknown_processor, 0, "libpfm4: " + full + ": " + pfm_strerror(status), ""};
  }
  return event_code{attributes.type, attributes.config, attributes.config1, attributes.config2};
}

std::variant<counter_events, counter_failure> find_counter_events() {
  auto present = present_core_pmus();
  if (auto* failure = std::get_if<counter_failure>(&present)) return std::move(*failure);
  auto chosen = choose_miss_events(std::get<0>(present));
  if (auto* failure = std::get_if<counter_failure>(&chosen)) return std::move(*failure);
  const miss_events& row = *std::get<0>(chosen);
  counter_events events{.pmu = std::string(row.pmu),
                        .cache = std::string(row.cache),
                        .miss_names = {},
                        .misses = {},
                        .memory = find_memory_codes(row.pmu)};
  for (const std::string_view name : row.used_names()) {
    auto code = encode_event(row.pmu, name);
    if (auto* failure = std::get_if<counter_failure>(&code)) return std::move(*failure);
    events.miss_names.emplace_back(name);
    events.misses.push_back(std::get<0>(code));
  }
  return events;
}

}  // namespace jackdaw::profile
