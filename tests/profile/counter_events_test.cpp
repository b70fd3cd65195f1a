// The events chosen for a processor; libpfm4 encodes each of them as in the vendors' lists.
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstdlib>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "profile/counters/counter_events.hpp"

namespace jackdaw::profile {
namespace {

// Set before libpfm4 reads it, which it does once, so that events of other processors are encoded.
const bool inactive_too = setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) == 0;

using configs = std::vector<std::uint64_t>;

// Umask and event number. From the vendors' event lists in Linux's tools/perf/pmu-events: Intel's L2_LINES_IN, AMD's
// all_l2_cache_misses (which sets for Zen 1 and 2 two or three more bits of the prefetchers' umask that mean nothing
// there). AMD before Zen: EventSelect 07Eh, all causes.
const std::map<std::string, configs> x86_lists = {
    {"nhm", {0x07f1}},
    {"nhm_ex", {0x07f1}},
    {"wsm", {0x07f1}},
    {"wsm_dp", {0x07f1}},
    {"snb", {0x07f1}},
    {"snb_ep", {0x07f1}},
    {"ivb", {0x07f1}},
    {"ivb_ep", {0x07f1}},
    {"hsw", {0x07f1}},
    {"hsw_ep", {0x07f1}},
    {"bdw", {0x07f1}},
    {"bdw_ep", {0x07f1}},
    {"skl", {0x1ff1}},
    {"skx", {0x1ff1}},
    {"clx", {0x1ff1}},
    {"icl", {0x1ff1}},
    {"icx", {0x1ff1}},
    {"spr", {0x1f25}},
    {"amd64_fam10h_barcelona", {0x0f7e}},
    {"amd64_fam10h_shanghai", {0x0f7e}},
    {"amd64_fam10h_istanbul", {0x0f7e}},
    {"amd64_fam15h_interlagos", {0x177e}},
    {"amd64_fam17h_zen1", {0x0964, 0x3f71, 0x3f72}},
    {"amd64_fam17h_zen2", {0x0964, 0x1f71, 0x1f72}},
    {"amd64_fam19h_zen3", {0x0964, 0xff71, 0xff72}},
    {"amd64_fam19h_zen4", {0x0964, 0xff71, 0xff72}},
};

// L2D_CACHE_REFILL has one number on all ARMv8 and ARMv9 processors.
const std::map<std::string, configs> arm_lists = {
    {"arm_n1", {0x17}}, {"arm_n2", {0x17}}, {"arm_v1", {0x17}}, {"arm_v2", {0x17}}};

void expect_encoded(const miss_events& row, const configs& wanted) {
  configs found;
  for (const std::string_view name : row.used_names()) {
    const auto code = encode_event(row.pmu, name);
    if (const auto* failure = std::get_if<counter_failure>(&code)) {
      ADD_FAILURE() << failure->what;
      return;
    }
    EXPECT_EQ(std::get<event_code>(code).type, static_cast<std::uint32_t>(PERF_TYPE_RAW)) << row.pmu;
    EXPECT_EQ(std::get<event_code>(code).config1, 0u) << row.pmu;
    found.push_back(std::get<event_code>(code).config);
  }
  EXPECT_EQ(found, wanted) << row.pmu;
}

TEST(counter_events, every_row_encodes_as_the_vendor_lists_it) {
  ASSERT_TRUE(inactive_too);
#if defined(__x86_64__)
  const auto& own = x86_lists;
#elif defined(__aarch64__)
  const auto& own = arm_lists;
#else
  const std::map<std::string, configs> own;
#endif
  std::size_t encoded = 0;
  for (const miss_events& row : known_miss_events()) {
    const std::string pmu(row.pmu);
    ASSERT_EQ(x86_lists.count(pmu) + arm_lists.count(pmu), 1u) << pmu << " is in no list";
    if (own.count(pmu) == 0) continue;  // libpfm4 is built with the processors of one instruction set
    ASSERT_TRUE(knows_pmu(pmu)) << pmu;
    expect_encoded(row, own.at(pmu));
    ++encoded;
  }
  EXPECT_EQ(encoded, own.size());
  EXPECT_EQ(known_miss_events().size(), x86_lists.size() + arm_lists.size());
}

// Umask and event number: Intel's MEM_UNCORE_RETIRED and MEM_LOAD_*_MISS_RETIRED, AMD's DATA_CACHE_REFILLS_FROM_SYSTEM
// (PMCx043) and ANY_DATA_CACHE_FILLS_FROM_SYSTEM (PMCx044), as in those lists.
const std::map<std::string, configs> x86_memory = {
    {"nhm", {0x200f, 0x100f}},
    {"nhm_ex", {0x200f, 0x100f}},
    {"wsm_dp", {0x080f, 0x100f}},
    {"snb_ep", {0x01d3, 0x04d3}},
    {"hsw_ep", {0x01d3, 0x04d3}},
    {"bdw_ep", {0x01d3, 0x04d3}},
    {"skx", {0x01d3, 0x02d3}},
    {"clx", {0x01d3, 0x02d3}},
    {"icx", {0x01d3, 0x02d3}},
    {"spr", {0x01d3, 0x02d3}},
    {"amd64_fam17h_zen2", {0x0843, 0x4043}},
    {"amd64_fam19h_zen3", {0x0844, 0x4044}},
    {"amd64_fam19h_zen4", {0x0844, 0x4044}},
};

TEST(counter_events, local_and_remote_memory_are_told_apart_as_the_vendor_lists_it) {
  ASSERT_TRUE(inactive_too);
  EXPECT_EQ(known_memory_events().size(), x86_memory.size());
  for (const memory_events& row : known_memory_events()) {
    const std::string pmu(row.pmu);
    ASSERT_EQ(x86_memory.count(pmu), 1u) << pmu << " is in no list";
    ASSERT_EQ(x86_lists.count(pmu), 1u) << "without misses of its caches nothing is counted";
    if (!knows_pmu(pmu)) continue;  // another instruction set's
    configs found;
    for (const std::string_view name : {row.local, row.remote}) {
      const auto code = encode_event(row.pmu, name);
      const auto* const failure = std::get_if<counter_failure>(&code);
      ASSERT_EQ(failure, nullptr) << failure->what;
      EXPECT_EQ(std::get<event_code>(code).config1, 0u) << pmu;
      found.push_back(std::get<event_code>(code).config);
    }
    EXPECT_EQ(found, x86_memory.at(pmu)) << pmu;
  }
}

TEST(counter_events, a_known_processor_is_found_among_others) {
  const std::vector<std::string> present = {"ix86arch", "skx"};
  const auto chosen = choose_miss_events(present);
  ASSERT_TRUE(std::holds_alternative<const miss_events*>(chosen));
  EXPECT_EQ(std::get<0>(chosen)->pmu, "skx");
  EXPECT_EQ(std::get<0>(chosen)->used_names().size(), 1u);
}

TEST(counter_events, an_unknown_processor_gets_no_substitute) {
  const std::vector<std::string> none, shared_l2 = {"ix86arch", "knl"};
  const auto unknown = choose_miss_events(none), unsuitable = choose_miss_events(shared_l2);
  ASSERT_TRUE(std::holds_alternative<counter_failure>(unknown));
  ASSERT_TRUE(std::holds_alternative<counter_failure>(unsuitable));
  EXPECT_EQ(std::get<1>(unknown).why, counter_failure::reason::unknown_processor);
  EXPECT_EQ(std::get<1>(unknown).what, "libpfm4 does not know this processor");
  EXPECT_FALSE(std::get<1>(unknown).fix.empty());
  EXPECT_EQ(std::get<1>(unsuitable).why, counter_failure::reason::unknown_processor);
  EXPECT_NE(std::get<1>(unsuitable).what.find("(libpfm4: ix86arch, knl)"), std::string::npos);
}

TEST(counter_events, an_event_that_does_not_exist_is_named) {
  const auto code = encode_event("skx", "NO_SUCH_EVENT");
  ASSERT_TRUE(std::holds_alternative<counter_failure>(code));
  EXPECT_NE(std::get<counter_failure>(code).what.find("skx::NO_SUCH_EVENT"), std::string::npos);
  EXPECT_FALSE(knows_pmu("no_such_pmu"));
}

TEST(counter_events, this_computer_has_events_or_a_reason) {
  const auto found = find_counter_events();
  if (const auto* failure = std::get_if<counter_failure>(&found)) {
    EXPECT_EQ(failure->why, counter_failure::reason::unknown_processor);
    EXPECT_FALSE(failure->what.empty());
    return;
  }
  const auto& events = std::get<counter_events>(found);
  EXPECT_FALSE(events.misses.empty());
  EXPECT_EQ(events.misses.size(), events.miss_names.size());
  EXPECT_EQ(events.instructions, (event_code{.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS}));
}

}  // namespace
}  // namespace jackdaw::profile
