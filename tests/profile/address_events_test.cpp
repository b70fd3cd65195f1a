// The event whose samples have addresses of data, on described computers, and the explanations of its refusals.
#include "profile/counters/address_events.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "profile/counters/counter_events.hpp"
#include "profile/fake_perf.hpp"

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;

// Set before libpfm4 reads it, which it does once: libpfm4 takes this computer for another, and encodes the events of
// all processors.
const bool other_processor = setenv("LIBPFM_FORCE_PMU", "skx", 1) == 0 && setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) == 0;

/// A computer that has these files.
struct files {
  std::map<std::string, std::string> all;
  files& with(const std::string& device_file, const std::string& text) {
    all["/sys/bus/event_source/devices/" + device_file] = text + "\n";
    return *this;
  }
  std::variant<address_event, counter_failure> find() const {
    test::fake_perf kernel;
    return find(kernel);
  }
  std::variant<address_event, counter_failure> find(test::fake_perf& kernel) const {
    const auto read = [this](const std::string& path) -> std::optional<std::string> {
      const auto at = all.find(path);
      if (at == all.end()) return {};
      return at->second;
    };
    return find_address_event(read, kernel);
  }
  perf_event_attr attributes() const {
    auto found = find();
    if (const auto* failure = std::get_if<counter_failure>(&found)) {
      ADD_FAILURE() << failure->what;
      return {};
    }
    return std::get<address_event>(found).attributes;
  }
};

TEST(address_events, need_a_pmu) {
  for (const files& computer : {files{}, files{}.with("cpu/caps/max_precise", "0"), files{}.with("ibs_op/type", "x")}) {
    const auto found = computer.find();
    ASSERT_TRUE(std::holds_alternative<counter_failure>(found));
    EXPECT_EQ(std::get<counter_failure>(found).why, reason::absent);
    EXPECT_FALSE(std::get<counter_failure>(found).fix.empty());
  }
}

TEST(address_events, of_amd_are_ops_by_the_kernels_number_of_ibs) {
  const perf_event_attr old = files{}.with("ibs_op/type", "11").attributes();
  EXPECT_EQ(old.size, sizeof old);
  EXPECT_EQ(old.type, 11u);
  EXPECT_EQ(old.config, 0u);
  EXPECT_EQ(old.config2, 0u);
  EXPECT_EQ(old.sample_type, std::uint64_t{PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC});
  EXPECT_EQ(old.freq, 1u);
  EXPECT_EQ(old.sample_freq, samples_a_second);
  EXPECT_EQ(old.exclude_kernel, 0u);  // it refuses all filters
  EXPECT_EQ(old.exclude_hv, 0u);
}

TEST(address_events, of_amd_use_features_of_newer_processors) {
  const perf_event_attr zen4 = files{}
                                   .with("ibs_op/type", "11")
                                   .with("ibs_op/format/cnt_ctl", "config:19")
                                   .with("ibs_op/format/l3missonly", "config:16")
                                   .with("ibs_op/format/swfilt", "config2:0")
                                   .attributes();
  EXPECT_EQ(zen4.config, 1u << 19 | 1u << 16);
  EXPECT_EQ(zen4.config2, 1u);
  EXPECT_EQ(zen4.exclude_kernel, 1u);
  const perf_event_attr odd = files{}
                                  .with("ibs_op/type", "11")
                                  .with("ibs_op/format/cnt_ctl", "config")
                                  .with("ibs_op/format/l3missonly", "config:64")
                                  .with("ibs_op/format/swfilt", "config7:1")
                                  .attributes();
  EXPECT_EQ(odd.config, 0u);
  EXPECT_EQ(odd.exclude_kernel, 0u);
}

TEST(address_events, of_intel_are_skipped_if_precise_samples_are_refused) {
  test::fake_perf kernel;
  kernel.refused_opens[1] = EACCES;
  kernel.level = 3;
  const auto found = files{}.with("cpu/caps/max_precise", "3").find(kernel);
  ASSERT_TRUE(std::holds_alternative<counter_failure>(found));
  EXPECT_EQ(std::get<counter_failure>(found), explain_refusal(EACCES, 3));
}

#if defined(__x86_64__)
TEST(address_events, of_intel_are_precise_loads_that_missed_the_last_cache) {
  ASSERT_TRUE(other_processor);
  const files computer = files{}.with("cpu/caps/max_precise", "3");
  const perf_event_attr event = computer.attributes();
  EXPECT_EQ(std::get<address_event>(computer.find()).name, "MEM_LOAD_RETIRED:L3_MISS of skx");
  EXPECT_EQ(event.type, static_cast<std::uint32_t>(PERF_TYPE_RAW));
  EXPECT_EQ(event.config, 0x20d1u);
  EXPECT_GE(event.precise_ip, 1u);
  EXPECT_EQ(event.sample_type, std::uint64_t{PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD});
  EXPECT_EQ(event.exclude_kernel, 1u);
  test::fake_perf kernel;
  EXPECT_EQ(std::get<address_event>(computer.find(kernel)).attributes.config, 0x20d1u);
  EXPECT_EQ(kernel.opens, 1);
  EXPECT_TRUE(kernel.events.empty()) << "descriptors are left open";
}

// Umask 20h of event D1h in Intel's lists for all of them.
TEST(address_events, every_row_encodes_as_the_vendor_lists_it) {
  ASSERT_TRUE(other_processor);
  EXPECT_EQ(known_missed_loads().size(), 10u);
  for (const missed_loads& row : known_missed_loads()) {
    const auto code = encode_event(row.pmu, row.name);
    ASSERT_TRUE(std::holds_alternative<event_code>(code)) << row.pmu << ": " << std::get<counter_failure>(code).what;
    EXPECT_EQ(std::get<event_code>(code), (event_code{.type = PERF_TYPE_RAW, .config = 0x20d1})) << row.pmu;
  }
}
#endif

TEST(address_events, keep_to_the_kernels_limit) {
  files computer = files{}.with("ibs_op/type", "11");
  const auto rate = [&](const char* limit) {
    computer.all["/proc/sys/kernel/perf_event_max_sample_rate"] = limit;
    return computer.attributes().sample_freq;
  };
  EXPECT_EQ(rate("100000\n"), samples_a_second);
  EXPECT_EQ(rate("750\n"), 750u);
  EXPECT_EQ(rate("0\n"), 1u);
  EXPECT_EQ(rate("nonsense\n"), samples_a_second);
}

TEST(address_events, report_a_fix_when_refused) {
  perf_event_attr with_kernel{}, without{};
  without.exclude_kernel = 1;
  EXPECT_NE(explain_sampling_refusal(with_kernel, EACCES, 2).fix.find("perf_event_paranoid=1"), std::string::npos);
  EXPECT_NE(explain_sampling_refusal(without, EACCES, 3).fix.find("perf_event_paranoid=2"), std::string::npos);
  EXPECT_EQ(explain_sampling_refusal(without, ENOENT, 2), explain_refusal(ENOENT, 2));
  EXPECT_NE(explain_sampling_refusal(with_kernel, EINVAL, 2).fix.find("newer Linux"), std::string::npos);
  const counter_failure locked = explain_buffer_refusal(EPERM, 69632);
  EXPECT_EQ(locked.why, reason::not_permitted);
  EXPECT_EQ(locked.code, EPERM);
  EXPECT_NE(locked.what.find("69632 B"), std::string::npos);
  EXPECT_NE(locked.fix.find("perf_event_mlock_kb"), std::string::npos);
  EXPECT_EQ(explain_buffer_refusal(ENOMEM, 69632).why, reason::other);
}

}  // namespace
}  // namespace jackdaw::profile
