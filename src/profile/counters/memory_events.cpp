#include "profile/counters/counter_events.hpp"

namespace jackdaw::profile {
namespace {

// Intel: retired loads by the source of their data. Data from another socket's cache counts as neither, except on
// Nehalem and Westmere, which distinguish less. The list omits desktop models, which have one socket, and models for
// which libpfm4's codes differ from Intel's list: Ivy Bridge EP and Westmere EX.
constexpr std::string_view uncore_local = "MEM_UNCORE_RETIRED:LOCAL_DRAM";
constexpr std::string_view uncore_remote = "MEM_UNCORE_RETIRED:REMOTE_DRAM";
constexpr std::string_view uops_local = "MEM_LOAD_UOPS_L3_MISS_RETIRED:LOCAL_DRAM";
constexpr std::string_view uops_remote = "MEM_LOAD_UOPS_L3_MISS_RETIRED:REMOTE_DRAM";
constexpr std::string_view loads_local = "MEM_LOAD_L3_MISS_RETIRED:LOCAL_DRAM";
constexpr std::string_view loads_remote = "MEM_LOAD_L3_MISS_RETIRED:REMOTE_DRAM";

// AMD Zen: fills of the L1 data cache by their source. Earlier processors have only events of the whole chip, and Zen 1
// only those of prefetches.
constexpr memory_events memory_events_by_pmu[] = {
    {"nhm", uncore_local, uncore_remote},
    {"nhm_ex", uncore_local, uncore_remote},
    {"wsm_dp", "MEM_UNCORE_RETIRED:LOCAL_DRAM_AND_REMOTE_CACHE_HIT", uncore_remote},
    {"snb_ep", "MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", "MEM_LOAD_UOPS_LLC_MISS_RETIRED:REMOTE_DRAM"},
    {"hsw_ep", uops_local, uops_remote},
    {"bdw_ep", uops_local, uops_remote},
    {"skx", loads_local, loads_remote},
    {"clx", loads_local, loads_remote},
    {"icx", loads_local, loads_remote},
    {"spr", loads_local, loads_remote},
    {"amd64_fam17h_zen2", "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM",
     "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_RMT_DRAM"},
    {"amd64_fam19h_zen3", "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL", "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_RMT"},
    {"amd64_fam19h_zen4", "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_NEAR",
     "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_FAR"},
};

}  // namespace

std::span<const memory_events> known_memory_events() { return memory_events_by_pmu; }

}  // namespace jackdaw::profile
