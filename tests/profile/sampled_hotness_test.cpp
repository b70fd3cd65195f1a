// Finding the hot part of an array by sampled addresses, here of page faults, which have addresses on every computer.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "jackdaw/memory/placed_memory.hpp"
#include "profile/fake_pages.hpp"
#include "profile/hotness/hotness.hpp"
#include "profile/page_faults.hpp"

namespace jackdaw::test {
namespace {

using profile::access_log;
using profile::hotness;
using profile::hotness_found;
using profile::sampled_heat;

const std::size_t page_size = base_page_size();
constexpr std::uint32_t areas_watched = 8;
constexpr std::size_t quarter = areas_watched / 4;

class sampled : public testing::Test {
 protected:
  void SetUp() override {
    if (!page_faults_can_be_sampled()) GTEST_SKIP() << "page faults cannot be sampled here";
  }
  static placed_memory array_of(std::size_t bytes) {
    return placed_memory(bytes, placement::first_touch().with_pages(page_choice::base));
  }
  void begin() {
    const auto self = static_cast<pid_t>(syscall(SYS_gettid));
    looking.begin(areas_watched);
    looking.sample({&self, 1});
  }
  /// Faults in `pages` pages of each of the areas [first, last).
  void fault_in(placed_memory& of, std::size_t first, std::size_t last, std::size_t pages) const {
    for (std::size_t i = first; i < last; ++i) fault(of.data() + of.size() / areas_watched * i, pages, page_size);
  }
  access_log::entry declared(const placed_memory& of) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(of.data());
    return {begin, begin + of.size(), 1000, true};
  }

  fake_pages kernel;
  hotness looking{kernel, samples_of_page_faults()};
  placed_memory array = array_of(areas_watched * hotness::least_area);
};

TEST_F(sampled, addresses_find_the_planted_hot_quarter) {
  begin();
  constexpr std::size_t hot = 200, cold = 10;
  for (int round = 0; round < 10; ++round) {  // 4800 records, of 24 bytes each: the buffer goes round
    fault_in(array, 0, areas_watched, cold);
    fault_in(array, quarter, 2 * quarter, hot);
    looking.sweep();
  }
  const hotness_found found = looking.end({declared(array)});
  EXPECT_EQ(found.source, hotness_source::address_samples);
  ASSERT_EQ(found.areas.size(), areas_watched);
  for (std::size_t i = 0; i < areas_watched; ++i) {
    EXPECT_EQ(found.areas[i].begin, reinterpret_cast<std::uintptr_t>(array.data()) + i * hotness::least_area);
    EXPECT_DOUBLE_EQ(found.heat[i], 10.0 * (i >= quarter && i < 2 * quarter ? hot + cold : cold)) << i;
  }
  EXPECT_EQ(found.samples, 10 * (areas_watched * cold + quarter * hot));
  EXPECT_EQ(found.lost_samples, 0u);
}

TEST_F(sampled, addresses_that_are_enough_end_the_sweeps_over_bits) {
  begin();
  EXPECT_FALSE(kernel.apart.empty());
  fault_in(array, 0, 1, areas_watched * sampled_heat::few_samples - 1);
  looking.sweep();
  EXPECT_EQ(looking.sweeps(), 1u);
  EXPECT_FALSE(kernel.apart.empty());
  fault_in(array, 0, 1, 1);
  looking.sweep();
  EXPECT_EQ(looking.sweeps(), 2u);
  EXPECT_TRUE(kernel.apart.empty());
  const placed_memory more = array_of(hotness::least_area);
  looking.sweep();
  EXPECT_EQ(looking.sweeps(), 2u);
  EXPECT_TRUE(kernel.apart.empty());
  EXPECT_EQ(looking.end({}).source, hotness_source::address_samples);
  EXPECT_EQ(kernel.looks, 2u);
}

TEST_F(sampled, addresses_that_are_too_few_leave_it_to_bits) {
  begin();
  for (unsigned i = 0; i < hotness::few_sweeps; ++i) {
    fault_in(array, 0, 1, 10);
    kernel.accessed = {kernel.apart.rbegin()->first};
    looking.sweep();
  }
  const hotness_found found = looking.end({declared(array)});
  EXPECT_EQ(found.source, hotness_source::accessed_bits);
  EXPECT_EQ(found.heat.front(), 0);
  EXPECT_GT(found.heat.back(), 0);
  EXPECT_EQ(found.samples, hotness::few_sweeps * 10u);
}

TEST_F(sampled, addresses_and_bits_that_are_too_few_leave_it_to_declarations) {
  begin();
  fault_in(array, 0, 1, 10);
  EXPECT_EQ(looking.end({declared(array)}).source, hotness_source::declared);
}

TEST_F(sampled, addresses_need_no_bits) {
  for (const std::size_t refused_from : {std::size_t{0}, std::size_t{9}}) {
    fake_pages refusing;
    refusing.refused_from = refused_from;
    hotness without(refusing, samples_of_page_faults());
    const auto self = static_cast<pid_t>(syscall(SYS_gettid));
    without.begin(areas_watched);
    without.sample({&self, 1});
    EXPECT_TRUE(refusing.apart.empty());
    fault_in(array, 3, 4, areas_watched * sampled_heat::few_samples);
    const hotness_found found = without.end({});
    EXPECT_EQ(refusing.looks, 0u);
    EXPECT_EQ(without.refusal(), EPERM);
    EXPECT_EQ(found.source, hotness_source::address_samples);
    ASSERT_EQ(found.heat.size(), areas_watched);
    EXPECT_DOUBLE_EQ(found.heat[3], double{areas_watched * sampled_heat::few_samples});
    EXPECT_DOUBLE_EQ(found.heat[2], 0);
  }
}

TEST_F(sampled, addresses_go_on_when_bits_of_a_new_container_are_refused) {
  kernel.refused_from = areas_watched * hotness::samples;
  begin();
  EXPECT_FALSE(kernel.apart.empty());
  fault_in(array, 3, 4, 2 * areas_watched * sampled_heat::few_samples);
  const placed_memory more = array_of(hotness::least_area);
  looking.sweep();
  EXPECT_TRUE(kernel.apart.empty());
  const hotness_found found = looking.end({});
  EXPECT_EQ(looking.refusal(), EPERM);
  EXPECT_EQ(found.source, hotness_source::address_samples);
  EXPECT_EQ(found.samples, 2 * areas_watched * sampled_heat::few_samples);
}

TEST_F(sampled, addresses_are_those_of_a_watch) {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  looking.sample({&self, 1});
  EXPECT_EQ(perf_mappings(), 0u);
  begin();
  EXPECT_EQ(perf_mappings(), 1u);
}

TEST_F(sampled, addresses_go_on_when_a_sweep_is_refused) {
  kernel.refused_look = EACCES;
  begin();
  looking.sweep();
  EXPECT_TRUE(kernel.apart.empty());
  constexpr std::size_t rounds = 40;  // more than the buffer has room for
  for (std::size_t i = 0; i < rounds; ++i) {
    fault_in(array, 0, 1, 100);
    looking.sweep();
  }
  EXPECT_EQ(kernel.looks, 1u);
  const hotness_found found = looking.end({});
  EXPECT_EQ(found.source, hotness_source::address_samples);
  EXPECT_EQ(found.samples, rounds * 100);
  EXPECT_EQ(looking.refusal(), EACCES);
}

TEST_F(sampled, addresses_in_containers_that_are_made_or_end_meanwhile) {
  std::optional<placed_memory> second(array_of(hotness::least_area));
  begin();
  placed_memory third = array_of(hotness::least_area);
  looking.sweep();
  const std::size_t many = 10 * sampled_heat::few_samples;
  fault(second->data(), many, page_size);
  fault(third.data(), many, page_size);
  const auto gone = reinterpret_cast<std::uintptr_t>(second->data());
  looking.sweep();
  second.reset();
  const hotness_found found = looking.end({});
  ASSERT_EQ(found.source, hotness_source::address_samples);
  double inside = 0, outside = 0;
  for (std::size_t i = 0; i < found.areas.size(); ++i) {
    EXPECT_NE(found.areas[i].begin, gone);
    const bool its = found.areas[i].begin >= reinterpret_cast<std::uintptr_t>(third.data()) &&
                     found.areas[i].end <= reinterpret_cast<std::uintptr_t>(third.data()) + third.size();
    (its ? inside : outside) += found.heat[i];
  }
  EXPECT_DOUBLE_EQ(inside, static_cast<double>(many));
  EXPECT_DOUBLE_EQ(outside, 0);
}

TEST_F(sampled, addresses_of_one_watch_are_not_those_of_the_next) {
  begin();
  fault_in(array, 0, 1, areas_watched * sampled_heat::few_samples);
  EXPECT_EQ(looking.end({}).source, hotness_source::address_samples);
  EXPECT_EQ(perf_mappings(), 0u) << "it goes on for ever";
  fault_in(array, 0, 1, areas_watched * sampled_heat::few_samples);
  begin();
  const hotness_found found = looking.end({declared(array)});
  EXPECT_EQ(found.source, hotness_source::declared);
  EXPECT_EQ(found.samples, 0u);
}

}  // namespace
}  // namespace jackdaw::test
