// The names of events, from libpfm4.
#include <perfmon/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include <mutex>

#include "profile/counters/counter_events.hpp"

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

}  // namespace

void keep_event_names() noexcept { pfm::mutex().lock(); }
void release_event_names() noexcept { pfm::mutex().unlock(); }

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

}  // namespace jackdaw::profile
