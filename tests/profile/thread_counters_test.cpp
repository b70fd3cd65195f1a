// A thread's counters on a fake kernel; at the end on the real one, with events that need no hardware.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "profile/counters/counter_failure.hpp"
#include "profile/counters/thread_counters.hpp"
#include "profile/counters/worker_counters.hpp"
#include "profile/fake_perf.hpp"

namespace jackdaw::profile {
namespace {

using reason = counter_failure::reason;
using test::fake_perf;

counter_events events_of(std::size_t misses) {
  counter_events events{.pmu = "test", .cache = "L2", .miss_names = {}, .misses = {}};
  for (std::size_t i = 0; i < misses; ++i) {
    events.miss_names.push_back("event " + std::to_string(i));
    events.misses.push_back({.type = PERF_TYPE_RAW, .config = 0x100 + i});
  }
  return events;
}

counter_failure refusal_of(fake_perf& kernel, std::size_t misses = 1) {
  const auto opened = thread_counters::open(events_of(misses), kernel);
  EXPECT_TRUE(std::holds_alternative<counter_failure>(opened));
  EXPECT_TRUE(kernel.events.empty()) << "descriptors are left open";
  return std::holds_alternative<counter_failure>(opened) ? std::get<counter_failure>(opened) : counter_failure{};
}

TEST(thread_counters, are_looked_for_with_one_that_every_processor_has) {
  fake_perf kernel;
  EXPECT_TRUE(counts_instructions(kernel));
  kernel.refused_opens[2] = ENOENT;
  EXPECT_FALSE(counts_instructions(kernel));
  EXPECT_TRUE(kernel.events.empty()) << "descriptors are left open";
}

TEST(thread_counters, are_one_pinned_group_in_user_space) {
  fake_perf kernel;
  {
    const auto opened = thread_counters::open(events_of(3), kernel);
    ASSERT_TRUE(std::holds_alternative<thread_counters>(opened));
    ASSERT_EQ(kernel.events.size(), 4u);
    std::vector<event_code> codes;
    const int leader = kernel.events.begin()->first;
    for (const auto& [descriptor, event] : kernel.events) {
      codes.push_back({event.attributes.type, event.attributes.config, 0, 0});
      EXPECT_EQ(event.group, descriptor == leader ? -1 : leader);
      EXPECT_EQ(event.attributes.pinned, descriptor == leader);
      EXPECT_EQ(event.attributes.disabled, descriptor == leader);
      EXPECT_EQ(event.attributes.exclude_kernel, 1u);
      EXPECT_EQ(event.attributes.exclude_hv, 1u);
      EXPECT_EQ(event.attributes.inherit, 0u);
      EXPECT_EQ(event.attributes.size, sizeof(perf_event_attr));
    }
    const std::vector<event_code> wanted = {{.type = PERF_TYPE_RAW, .config = 0x100},
                                            {.type = PERF_TYPE_RAW, .config = 0x101},
                                            {.type = PERF_TYPE_RAW, .config = 0x102},
                                            retired_instructions()};
    EXPECT_EQ(codes, wanted);
    EXPECT_EQ(kernel.enabled, std::vector<int>{leader});
  }
  EXPECT_TRUE(kernel.events.empty());
  EXPECT_FALSE(kernel.closed_unknown);
}

TEST(thread_counters, a_reading_is_the_sum_of_the_misses_and_the_instructions) {
  for (const auto& [misses, wanted] :
       std::vector<std::pair<std::size_t, counter_reading>>{{1, {10, 20}}, {2, {30, 30}}, {3, {60, 40}}}) {
    fake_perf kernel;
    const auto opened = thread_counters::open(events_of(misses), kernel);
    ASSERT_TRUE(std::holds_alternative<thread_counters>(opened));
    const int before = kernel.reads;
    const auto reading = std::get<thread_counters>(opened).read();
    EXPECT_EQ(kernel.reads, before + 1);
    ASSERT_TRUE(std::holds_alternative<counter_reading>(reading));
    EXPECT_EQ(std::get<counter_reading>(reading), wanted);
  }
}

TEST(thread_counters, of_memory_are_the_last_of_the_group) {
  counter_events events = events_of(2);
  events.memory = {.local_name = "near",
                   .remote_name = "far",
                   .local = {.type = PERF_TYPE_RAW, .config = 0x200},
                   .remote = {.type = PERF_TYPE_RAW, .config = 0x201}};
  fake_perf kernel;
  const auto opened = thread_counters::open(events, kernel);
  ASSERT_TRUE(std::holds_alternative<thread_counters>(opened));
  ASSERT_EQ(kernel.events.size(), 5u);
  EXPECT_EQ(std::next(kernel.events.begin(), 3)->second.attributes.config, 0x200u);
  EXPECT_EQ(std::next(kernel.events.begin(), 4)->second.attributes.config, 0x201u);
  const auto reading = std::get<thread_counters>(opened).read();
  ASSERT_TRUE(std::holds_alternative<counter_reading>(reading));
  EXPECT_EQ(std::get<counter_reading>(reading), (counter_reading{30, 30, 40, 50}));
  EXPECT_EQ((counter_reading{7, 100, 9, 20} - counter_reading{2, 40, 4, 5}), (counter_reading{5, 60, 5, 15}));
}

TEST(thread_counters, can_be_moved_and_close_once) {
  fake_perf kernel;
  {
    auto first = thread_counters::open(events_of(1), kernel), second = thread_counters::open(events_of(1), kernel);
    EXPECT_EQ(kernel.events.size(), 4u);
    std::get<thread_counters>(first) = std::move(std::get<thread_counters>(second));
    EXPECT_EQ(kernel.events.size(), 2u);
    const thread_counters third(std::move(std::get<thread_counters>(first)));
    EXPECT_EQ(kernel.events.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<counter_reading>(third.read()));
  }
  EXPECT_TRUE(kernel.events.empty());
  EXPECT_FALSE(kernel.closed_unknown);
}

TEST(thread_counters, too_many_or_no_events_are_refused_before_the_kernel_is_asked) {
  fake_perf kernel;
  EXPECT_EQ(refusal_of(kernel, 0).what, "there are 0 events for misses, expected 1 to 3");
  EXPECT_EQ(refusal_of(kernel, 4).what, "there are 4 events for misses, expected 1 to 3");
  EXPECT_EQ(kernel.opens, 0);
}

TEST(thread_counters, a_refusal_of_any_call_closes_all_descriptors) {
  for (int call = 1; call <= 4; ++call) {
    fake_perf kernel;
    kernel.refused_opens[call] = EMFILE;
    EXPECT_EQ(refusal_of(kernel, 3).why, reason::no_descriptors);
    EXPECT_EQ(kernel.opens, call);
    EXPECT_TRUE(kernel.enabled.empty());
  }
  fake_perf not_enabled, not_read;
  not_enabled.refused_enable = EINVAL;
  EXPECT_EQ(refusal_of(not_enabled).code, EINVAL);
  not_read.refused_read = EIO;
  EXPECT_EQ(refusal_of(not_read).code, EIO);
}

TEST(thread_counters, counters_in_use_elsewhere_are_found_by_the_first_reading) {
  fake_perf kernel;
  kernel.unscheduled = true;
  const counter_failure failure = refusal_of(kernel);
  EXPECT_EQ(failure.why, reason::busy);
  EXPECT_FALSE(failure.fix.empty());
}

TEST(thread_counters, a_reading_with_a_gap_is_refused) {
  fake_perf kernel;
  const auto opened = thread_counters::open(events_of(1), kernel);
  ASSERT_TRUE(std::holds_alternative<thread_counters>(opened));
  const auto& counters = std::get<thread_counters>(opened);
  kernel.time_enabled = 100'000;
  kernel.time_running = 99'000;
  EXPECT_TRUE(std::holds_alternative<counter_reading>(counters.read()));
  for (const std::uint64_t running : {98'999u, 50'000u, 0u}) {
    kernel.time_running = running;
    const auto gap = counters.read();
    ASSERT_TRUE(std::holds_alternative<counter_failure>(gap)) << running;
    EXPECT_EQ(std::get<counter_failure>(gap).why, reason::incomplete);
    EXPECT_EQ(std::get<counter_failure>(gap).what,
              "the counters ran for " + std::to_string(running) + " of 100000 ns only");
  }
}

TEST(thread_counters, a_reading_of_another_shape_is_refused) {
  fake_perf kernel;
  kernel.extra_events = 1;
  EXPECT_EQ(refusal_of(kernel).what, "a reading of 40 bytes and 3 counters, expected 40 and 2");
}

TEST(counter_failure, every_errno_has_its_line) {
  struct expectation {
    int code;
    std::optional<int> paranoid;
    reason why;
    const char* what;
    const char* fix;
  };
  const expectation all[] = {
      {EACCES, 3, reason::not_permitted, "perf_event_paranoid is 3", "sysctl -w kernel.perf_event_paranoid=2"},
      {EPERM, 4, reason::not_permitted, "perf_event_paranoid is 4", "CAP_PERFMON"},
      {EACCES, 2, reason::not_permitted, "perf_event_paranoid is 2", "seccomp"},
      {EPERM, -1, reason::not_permitted, "perf_event_paranoid is -1", "--cap-add PERFMON"},
      {EPERM, {}, reason::absent, "no perf events", "CONFIG_PERF_EVENTS"},
      {ENOSYS, 2, reason::absent, "no perf events", "CONFIG_PERF_EVENTS"},
      {ENOENT, 2, reason::absent, "no such counter", "virtual PMU"},
      {ENODEV, 2, reason::absent, "no such counter", "virtual PMU"},
      {ENXIO, 2, reason::absent, "no such counter", "virtual PMU"},
      {EOPNOTSUPP, 2, reason::absent, "no such counter", "virtual PMU"},
      {EINVAL, 2, reason::absent, "at once", "virtual machine"},
      {EMFILE, 2, reason::no_descriptors, "Too many open files", "ulimit -n"},
      {ENFILE, 2, reason::no_descriptors, "in system", "fs.file-max"},
      {EBUSY, 2, reason::busy, "something else uses the counters", "nmi_watchdog"},
      {ENOMEM, 2, reason::other, "Cannot allocate memory", ""},
  };
  for (const expectation& each : all) {
    const counter_failure failure = explain_refusal(each.code, each.paranoid);
    EXPECT_EQ(failure.why, each.why) << failure.what;
    EXPECT_EQ(failure.code, each.code);
    EXPECT_NE(failure.what.find(each.what), std::string::npos) << failure.what;
    EXPECT_NE(failure.fix.find(each.fix), std::string::npos) << failure.fix;
    EXPECT_EQ(failure.fix.empty(), std::string(each.fix).empty()) << failure.fix;
    EXPECT_EQ((failure.what + failure.fix).find('\n'), std::string::npos);
    EXPECT_LE(failure.what.size(), 120u);
    EXPECT_LE(failure.fix.size(), 120u);
  }
}

TEST(worker_counters, all_workers_read_their_own) {
  fake_perf kernel;
  worker_counters counters(3, events_of(1), kernel);
  EXPECT_FALSE(counters.read(0).has_value()) << "not opened yet";
  for (unsigned worker = 0; worker < 3; ++worker) {
    std::thread([&counters, worker] { EXPECT_TRUE(counters.open(worker)); }).join();
  }
  EXPECT_EQ(kernel.events.size(), 6u);
  EXPECT_EQ(counters.read(2), (counter_reading{10, 20}));
  EXPECT_TRUE(counters.good());
  EXPECT_FALSE(counters.failure().has_value());
}

TEST(worker_counters, a_refusal_half_way_ends_the_counting_for_all) {
  fake_perf kernel;
  kernel.refused_opens[3] = EMFILE;  // worker 1's first event
  worker_counters counters(3, events_of(1), kernel);
  EXPECT_TRUE(counters.open(0));
  EXPECT_EQ(counters.read(0), (counter_reading{10, 20}));
  EXPECT_FALSE(counters.open(1));
  EXPECT_FALSE(counters.open(2));
  EXPECT_EQ(kernel.opens, 3) << "worker 2 need not try";
  for (unsigned worker = 0; worker < 3; ++worker) EXPECT_FALSE(counters.read(worker).has_value());
  ASSERT_TRUE(counters.failure().has_value());
  EXPECT_EQ(counters.failure()->why, reason::no_descriptors);
  EXPECT_EQ(counters.failure()->what.find("worker 1: perf_event_open: "), 0u) << counters.failure()->what;
}

TEST(worker_counters, a_reading_that_fails_later_ends_the_counting_for_all) {
  fake_perf kernel;
  worker_counters counters(2, events_of(1), kernel);
  EXPECT_TRUE(counters.open(0));
  EXPECT_TRUE(counters.open(1));
  kernel.unscheduled = true;
  EXPECT_FALSE(counters.read(1).has_value());
  kernel.unscheduled = false;
  EXPECT_FALSE(counters.read(0).has_value());
  EXPECT_FALSE(counters.read(1).has_value());
  ASSERT_TRUE(counters.failure().has_value());
  EXPECT_EQ(counters.failure()->why, reason::busy);
  EXPECT_EQ(counters.failure()->what.find("worker 1: "), 0u);
}

TEST(worker_counters, of_workers_that_start_at_once_all_count_or_none) {
  constexpr unsigned workers = 4;
  for (int refused = 0; refused <= 2 * static_cast<int>(workers); ++refused) {
    fake_perf kernel;
    if (refused > 0) kernel.refused_opens[refused] = EACCES;
    worker_counters counters(workers, events_of(1), kernel);
    std::vector<std::thread> threads;
    for (unsigned worker = 0; worker < workers; ++worker) threads.emplace_back([&, worker] { counters.open(worker); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(counters.good(), refused == 0);
    EXPECT_EQ(counters.failure().has_value(), refused != 0);
    for (unsigned worker = 0; worker < workers; ++worker) {
      EXPECT_EQ(counters.read(worker).has_value(), refused == 0) << refused;
    }
  }
}

// One page more is one fault more, on a kernel that has perf events at all.
TEST(this_kernel, counts_page_faults_and_time_in_one_group) {
  counter_events events{.pmu = "kernel", .cache = "page tables", .miss_names = {"faults"}, .misses = {}};
  events.misses = {{.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS}};
  events.instructions = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
  const auto opened = thread_counters::open(events);
  if (const auto* failure = std::get_if<counter_failure>(&opened)) {
    // A refusal by the kernel may be skipped; a request that it does not understand is a bug.
    ASSERT_TRUE(failure->why == reason::not_permitted || failure->why == reason::absent) << failure->what;
    GTEST_SKIP() << failure->what;
  }

  constexpr std::size_t pages = 64;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  const auto& counters = std::get<thread_counters>(opened);
  const auto before = counters.read();
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  const auto after = counters.read();
  munmap(memory, pages * page);
  ASSERT_TRUE(std::holds_alternative<counter_reading>(before));
  ASSERT_TRUE(std::holds_alternative<counter_reading>(after));
  const counter_reading between = std::get<counter_reading>(after) - std::get<counter_reading>(before);
  EXPECT_GE(between.misses, pages);
  EXPECT_GT(between.instructions, 0u);
}

TEST(this_kernel, refuses_an_event_that_it_does_not_have) {
  counter_events events{.pmu = "kernel", .cache = "none", .miss_names = {"none"}, .misses = {}};
  events.misses = {{.type = PERF_TYPE_SOFTWARE, .config = ~std::uint64_t{0} >> 1}};
  const auto opened = thread_counters::open(events);
  ASSERT_TRUE(std::holds_alternative<counter_failure>(opened));
  EXPECT_NE(std::get<counter_failure>(opened).code, 0);
}

}  // namespace
}  // namespace jackdaw::profile
