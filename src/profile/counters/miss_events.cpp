#include <cstddef>

#include "profile/counters/counter_events.hpp"

namespace jackdaw::profile {
namespace {

// Intel: the lines that the L2 takes in, for whatever request, each once. L2_RQSTS has no such sum: its MISS omits
// prefetched lines on newer models, and Sandy Bridge and Ivy Bridge lack it.
constexpr std::string_view lines_in_any = "L2_LINES_IN:ANY", lines_in_all = "L2_LINES_IN:ALL";

// AMD up to Bulldozer: one event covers all causes, including the prefetcher's requests.
constexpr std::string_view amd_l2_miss = "L2_CACHE_MISS:ALL";

// AMD Zen: requests of the L1 caches that miss the L2, and lines that the L2's prefetcher fetched from the L3 or from
// beyond. AMD's event list for Linux's perf adds up all_l2_cache_misses in the same way.
constexpr std::string_view zen_requests = "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:IC_FILL_MISS:LS_RD_BLK_C";

// ARM's Neoverse: each refill of the L2, which is private on all of them.
constexpr std::string_view arm_refill = "L2D_CACHE_REFILL";

// The list omits processors whose cores share the L2 (Core 2, Atoms, Knights Landing, Jaguar), and those with two kinds
// of cores.
constexpr miss_events miss_events_by_pmu[] = {
    {"nhm", {lines_in_any}},
    {"nhm_ex", {lines_in_any}},
    {"wsm", {lines_in_any}},
    {"wsm_dp", {lines_in_any}},
    {"snb", {lines_in_any}},
    {"snb_ep", {lines_in_any}},
    {"ivb", {lines_in_all}},
    {"ivb_ep", {lines_in_all}},
    {"hsw", {lines_in_all}},
    {"hsw_ep", {lines_in_all}},
    {"bdw", {lines_in_all}},
    {"bdw_ep", {lines_in_all}},
    {"skl", {lines_in_all}},
    {"skx", {lines_in_all}},
    {"clx", {lines_in_all}},
    {"icl", {lines_in_all}},
    {"icx", {lines_in_all}},
    {"spr", {lines_in_all}},
    {"amd64_fam10h_barcelona", {amd_l2_miss}},
    {"amd64_fam10h_shanghai", {amd_l2_miss}},
    {"amd64_fam10h_istanbul", {amd_l2_miss}},
    {"amd64_fam15h_interlagos", {amd_l2_miss}, "L2 (of two cores)"},
    {"amd64_fam17h_zen1", {zen_requests, "L2_PREFETCH_HIT_L3:ANY", "L2_PREFETCH_MISS_L3:ANY"}},
    {"amd64_fam17h_zen2", {zen_requests, "L2_PREFETCH_HIT_L3:ANY", "L2_PREFETCH_MISS_L3:ANY"}},
    {"amd64_fam19h_zen3",
     {zen_requests, "L2_PREFETCH_HIT_L3:L2_HW_PREFETCHER:L1_HW_PREFETCHER",
      "L2_PREFETCH_MISS_L3:L2_HW_PREFETCHER:L1_HW_PREFETCHER"}},
    {"amd64_fam19h_zen4",
     {zen_requests,
      "L2_PREFETCH_HIT_L3:L2_STREAM:L2_NEXT_LINE:L2_UP_DOWN:L2_BURST:L2_STRIDE:L1_STREAM:L1_STRIDE:L1_REGION",
      "L2_PREFETCH_MISS_L3:L2_STREAM:L2_NEXT_LINE:L2_UP_DOWN:L2_BURST:L2_STRIDE:L1_STREAM:L1_STRIDE:L1_REGION"}},
    {"arm_n1", {arm_refill}},
    {"arm_n2", {arm_refill}},
    {"arm_v1", {arm_refill}},
    {"arm_v2", {arm_refill}},
};

}  // namespace

std::span<const std::string_view> miss_events::used_names() const {
  std::size_t used = 0;
  while (used < names.size() && !names[used].empty()) ++used;
  return {names.data(), used};
}

std::span<const miss_events> known_miss_events() { return miss_events_by_pmu; }

}  // namespace jackdaw::profile
