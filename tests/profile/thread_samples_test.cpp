// Samples of threads: on a fake kernel, and of page faults on the real one.
#include "profile/hotness/thread_samples.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "jackdaw/memory/placed_memory.hpp"
#include "profile/fake_perf.hpp"
#include "profile/page_faults.hpp"

namespace jackdaw::test {
namespace {

using profile::address_sample;
using profile::counter_failure;
using profile::thread_samples;

const std::size_t sampled_page = base_page_size();

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

class fake_threads : public testing::Test {
 protected:
  void write(int descriptor, std::uint64_t address, std::uint64_t period) {
    std::vector<std::uint64_t>& pages = kernel.buffers.at(descriptor);
    auto* const control = reinterpret_cast<perf_event_mmap_page*>(pages.data());
    auto* const at = pages.data() + (sampled_page + control->data_head) / sizeof(std::uint64_t);
    const perf_event_header header{.type = PERF_RECORD_SAMPLE, .misc = 0, .size = 24};
    std::memcpy(at, &header, sizeof header);
    at[1] = address;
    at[2] = period;
    control->data_head += header.size;
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(kernel.events.empty());
    EXPECT_TRUE(kernel.buffers.empty());
    EXPECT_FALSE(kernel.closed_unknown || kernel.unmapped_unknown);
  }

  static constexpr std::array<pid_t, 3> three{11, 12, 13};
  fake_perf kernel;
  int found = 0;
  thread_samples samples{[this] {
                           ++found;
                           return page_faults();
                         },
                         kernel};
};

TEST_F(fake_threads, are_each_sampled) {
  samples.open(three);
  EXPECT_TRUE(samples.opened());
  std::vector<pid_t> threads;
  for (const auto& [descriptor, event] : kernel.events) {
    threads.push_back(event.thread);
    EXPECT_EQ(event.attributes.sample_period, 1u);
    EXPECT_EQ(event.attributes.disabled, 0u);
    EXPECT_EQ(event.attributes.inherit, 0u);
    EXPECT_EQ(event.attributes.pinned, 0u);
    write(descriptor, std::uint64_t{0x1000} * static_cast<unsigned>(event.thread), 5);
  }
  EXPECT_EQ(threads, std::vector<pid_t>(three.begin(), three.end()));
  const auto drained = samples.drain();
  EXPECT_EQ(std::vector<address_sample>(drained.begin(), drained.end()),
            (std::vector<address_sample>{{0xb000, 5}, {0xc000, 5}, {0xd000, 5}}));
  EXPECT_TRUE(samples.drain().empty());
  samples.close();
  EXPECT_FALSE(samples.opened());
  expect_nothing_left();
  samples.open(three);
  EXPECT_TRUE(samples.opened());
  EXPECT_EQ(found, 1);
}

TEST_F(fake_threads, of_an_empty_list_are_not_requested) {
  samples.open({});
  EXPECT_FALSE(samples.opened());
  EXPECT_FALSE(samples.failure());
  EXPECT_EQ(found, 0);
}

TEST_F(fake_threads, are_all_sampled_or_none) {
  kernel.refused_opens[3] = EMFILE;
  samples.open(three);
  EXPECT_FALSE(samples.opened());
  ASSERT_TRUE(samples.failure());
  EXPECT_EQ(samples.failure()->why, counter_failure::reason::no_descriptors);
  expect_nothing_left();
  samples.open(three);  // it is not tried again
  EXPECT_EQ(kernel.opens, 3);
  EXPECT_EQ(found, 1);
}

TEST_F(fake_threads, whose_buffers_are_refused_are_not_sampled) {
  for (const int code : {EPERM, ENOMEM}) {
    fake_perf other;
    other.refused_map = code;
    thread_samples refused(page_faults, other);
    refused.open(three);
    EXPECT_FALSE(refused.opened());
    ASSERT_TRUE(refused.failure());
    EXPECT_EQ(refused.failure()->code, code);
    EXPECT_EQ(other.opens, 1);
    EXPECT_TRUE(other.events.empty());
  }
}

TEST_F(fake_threads, are_not_requested_without_an_event) {
  int asked = 0;
  thread_samples none(
      [&asked] {
        ++asked;
        return counter_failure{counter_failure::reason::absent, 0, "no PMU", ""};
      },
      kernel);
  none.open(three);
  none.open(three);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(kernel.opens, 0);
  EXPECT_EQ(none.failure()->what, "no PMU");
}

TEST(address_samples, are_surveyed_without_a_trace) {
  fake_perf kernel;
  EXPECT_EQ(std::get<std::string>(survey_address_samples(page_faults, kernel)), "page faults");
  kernel.refused_opens[2] = ENOENT;
  const auto refused = survey_address_samples(page_faults, kernel);
  ASSERT_TRUE(std::holds_alternative<counter_failure>(refused));
  EXPECT_EQ(std::get<counter_failure>(refused).what.find("page faults: perf_event_open: "), 0u);
  EXPECT_TRUE(kernel.events.empty());
  EXPECT_TRUE(kernel.buffers.empty());
}

TEST(address_samples, of_this_computer_exist_or_have_a_reason) {
  const auto found = profile::survey_address_samples();
  if (const auto* failure = std::get_if<counter_failure>(&found)) {
    EXPECT_FALSE(failure->what.empty());
  } else {
    EXPECT_FALSE(std::get<std::string>(found).empty());
  }
}

class real_threads : public testing::Test {
 protected:
  void SetUp() override {
    if (!page_faults_can_be_sampled()) GTEST_SKIP() << "page faults cannot be sampled here";
  }
  /// How many of the samples are in each page of the array; each stands for one fault.
  std::vector<unsigned> count(std::vector<unsigned> counts) {
    const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
    for (const address_sample& each : samples.drain()) {
      EXPECT_EQ(each.period, 1u);
      const std::uintptr_t at = (each.address - begin) / sampled_page;
      if (each.address >= begin && at < counts.size()) ++counts[at];
    }
    return counts;
  }

  static constexpr std::size_t pages = 500;
  placed_memory array{pages * sampled_page, placement::first_touch().with_pages(page_choice::base)};
  thread_samples samples = samples_of_page_faults();
};

TEST_F(real_threads, have_each_fault_sampled_round_and_round) {
  const pid_t self = this_thread();
  samples.open({&self, 1});
  ASSERT_TRUE(samples.opened()) << samples.failure()->what;
  constexpr unsigned rounds = 40;  // 480 000 bytes of records, in a buffer of 64 KiB
  std::vector<unsigned> counts(pages, 0);
  for (unsigned i = 0; i < rounds; ++i) {
    fault(array.data(), pages, sampled_page);
    counts = count(std::move(counts));
  }
  EXPECT_EQ(counts, std::vector<unsigned>(pages, rounds));
  EXPECT_EQ(samples.lost(), 0u);
}

TEST_F(real_threads, lose_unfetched_samples_and_report_how_many) {
  const pid_t self = this_thread();
  samples.open({&self, 1});
  ASSERT_TRUE(samples.opened()) << samples.failure()->what;
  constexpr unsigned rounds = 20;
  for (unsigned i = 0; i < rounds; ++i) fault(array.data(), pages, sampled_page);
  const auto counts = count(std::vector<unsigned>(pages, 0));
  std::size_t told = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  EXPECT_LT(told, rounds * pages);
  EXPECT_GT(told, 0u);
  // The kernel writes the number of lost samples before the next record that has room.
  fault(array.data(), 1, sampled_page);
  const auto more = count(std::vector<unsigned>(pages, 0));
  told += std::accumulate(more.begin(), more.end(), std::size_t{0});
  EXPECT_GE(told + samples.lost(), rounds * pages + 1);
}

TEST_F(real_threads, are_sampled_from_another_one_and_may_end_before) {
  std::atomic<pid_t> number{0};
  std::atomic<bool> go{false};
  std::thread other([&] {
    number = this_thread();
    while (!go) std::this_thread::yield();
    fault(array.data(), pages / 2, sampled_page);
  });
  while (number == 0) std::this_thread::yield();
  const pid_t its = number;
  samples.open({&its, 1});
  EXPECT_TRUE(samples.opened());
  fault(array.data() + pages / 2 * sampled_page, pages / 2, sampled_page);  // on this one, which is not sampled
  go = true;
  other.join();
  std::vector<unsigned> wanted(pages, 0);
  std::fill_n(wanted.begin(), pages / 2, 1u);
  EXPECT_EQ(count(std::vector<unsigned>(pages, 0)), wanted);
  samples.close();
}

TEST_F(real_threads, that_are_gone_are_refused) {
  pid_t gone = 0;
  std::thread([&] { gone = this_thread(); }).join();
  const std::array<pid_t, 2> both{this_thread(), gone};
  samples.open(both);
  EXPECT_FALSE(samples.opened());
  ASSERT_TRUE(samples.failure());
  EXPECT_EQ(samples.failure()->code, ESRCH);
}

}  // namespace
}  // namespace jackdaw::test
