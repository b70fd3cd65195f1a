// Finding the hot part of an array.
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/memory/placed_memory.hpp"
#include "numa/placed_registry.hpp"
#include "profile/fake_pages.hpp"
#include "profile/hotness/hotness.hpp"
#include "profile/hotness/sweeper.hpp"

namespace jackdaw::test {
namespace {

using profile::access_log;
using profile::hotness;
using profile::hotness_found;

const std::size_t base_page = base_page_size();
constexpr std::size_t pages = 4096;  // enough to be watched
constexpr std::uint32_t parts = 16;
constexpr std::size_t hot_first = pages / 4, hot_last = pages / 2;  // of pages; the planted quarter

std::uintptr_t number(const placed_memory& of, std::size_t index = 0) {
  return reinterpret_cast<std::uintptr_t>(of.data()) + index * base_page;
}

access_log::entry declared(const placed_memory& of, std::size_t first, std::size_t last, double lines) {
  return {number(of, first), number(of, last), lines, true};
}

placed_memory pages_of_an_array(std::size_t count = pages) {
  return placed_memory(count * base_page, placement::first_touch().with_pages(page_choice::base));
}

/// The coldest area of the hot quarter, and the hottest of the rest.
struct extremes {
  double coldest = 1e300, hottest = 0;
  std::size_t inside = 0, outside = 0;  // areas
};
extremes compare(const hotness_found& found, const placed_memory& array) {
  extremes seen;
  for (std::size_t i = 0; i < found.areas.size(); ++i) {
    if (found.areas[i].begin >= number(array, hot_first) && found.areas[i].end <= number(array, hot_last)) {
      seen.coldest = std::min(seen.coldest, found.heat[i]);
      ++seen.inside;
    } else {
      seen.hottest = std::max(seen.hottest, found.heat[i]);
      ++seen.outside;
    }
  }
  return seen;
}

/// Adds one to a word of each page, on all workers.
void access(runtime& workers, placed_memory& array, std::size_t first, std::size_t last) {
  workers.run([&] {
    for_index(first, last,
              [&](std::size_t i) { std::atomic_ref(*reinterpret_cast<int*>(array.data() + i * base_page)) += 1; });
  });
}

TEST(hotness_of_an_array, finds_the_planted_hot_quarter_by_accessed_bits) {
  if (const int code = profile::survey_accessed_bits()) {
    // Refused, missing, or useless in this virtual machine. Anything else is a bug.
    ASSERT_TRUE(code == EPERM || code == EACCES || code == ENOENT || code == ENOTSUP) << std::strerror(code);
    GTEST_SKIP() << "no accessed bits here: errno " << code;
  }
  runtime workers({.scheduler = "random", .workers = 2});
  placed_memory array = pages_of_an_array();
  access(workers, array, 0, pages);
  hotness looking;
  looking.begin(parts);
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    access(workers, array, hot_first, hot_last);
    if (round % 4 == 0) access(workers, array, 0, pages);
    looking.sweep();
  }
  const hotness_found found = looking.end({});
  EXPECT_EQ(found.source, hotness_source::accessed_bits);
  EXPECT_EQ(found.sweeps, unsigned{rounds});
  ASSERT_EQ(found.areas.size(), parts);
  const extremes seen = compare(found, array);
  EXPECT_EQ(seen.inside, parts / 4);
  // Each round has accessed every page of the quarter. A processor may set more bits than there are accesses, where it
  // guesses ahead.
  EXPECT_GE(seen.coldest, rounds * (pages / parts));
  EXPECT_LT(seen.hottest, rounds * (pages / parts) / 2.0);
}

class without_bits : public testing::Test {
 protected:
  without_bits() { kernel.refused_from = 0; }
  fake_pages kernel;
  hotness looking{kernel};
};

TEST_F(without_bits, finds_it_by_declarations) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  looking.sweep();
  const hotness_found found =
      looking.end({declared(array, 0, pages, 100.0 * pages), declared(array, hot_first, hot_last, 500.0 * pages / 4)});
  EXPECT_EQ(found.source, hotness_source::declared);
  EXPECT_EQ(looking.refusal(), EPERM);
  const extremes seen = compare(found, array);
  EXPECT_EQ(seen.inside, parts / 4);
  EXPECT_EQ(seen.outside, parts - parts / 4);
  EXPECT_DOUBLE_EQ(seen.coldest, 600.0 * pages / parts);
  EXPECT_DOUBLE_EQ(seen.hottest, 100.0 * pages / parts);
}

TEST_F(without_bits, and_without_declarations_nothing_is_seen) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  const hotness_found found = looking.end({});
  EXPECT_EQ(found.source, hotness_source::none);
  EXPECT_TRUE(found.areas.empty());
}

TEST_F(without_bits, arrays_that_are_in_no_container_have_areas) {
  std::vector<std::byte> array(64 * base_page);
  const auto begin = reinterpret_cast<std::uintptr_t>(array.data());
  looking.begin(8);
  const hotness_found found = looking.end({{begin, begin + array.size(), 1000, true}});
  EXPECT_EQ(found.source, hotness_source::declared);
  ASSERT_FALSE(found.areas.empty());
  EXPECT_LE(found.areas.front().begin, begin);
  EXPECT_GE(found.areas.back().end, begin + array.size());
}

class with_fake_bits : public testing::Test {
 protected:
  fake_pages kernel;
  hotness looking{kernel};
};

TEST_F(with_fake_bits, too_few_sweeps_leave_it_to_declarations) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  looking.sweep();
  EXPECT_EQ(looking.end({declared(array, 0, pages, 1)}).source, hotness_source::declared);
  EXPECT_TRUE(kernel.apart.empty());
}

TEST_F(with_fake_bits, enough_sweeps_do_not) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  for (unsigned i = 0; i < hotness::few_sweeps; ++i) {
    kernel.accessed = {kernel.apart.begin()->first};
    looking.sweep();
  }
  const hotness_found found = looking.end({declared(array, 0, pages, 1)});
  EXPECT_EQ(found.source, hotness_source::accessed_bits);
  // One of the four sampled pages, in each sweep.
  EXPECT_DOUBLE_EQ(found.heat[0], pages / parts * (hotness::few_sweeps / 4.0));
  EXPECT_TRUE(kernel.apart.empty());
}

TEST_F(with_fake_bits, little_data_is_not_swept) {
  const placed_memory array = pages_of_an_array(hotness::least_data / base_page - 1);
  looking.begin(parts);
  EXPECT_TRUE(kernel.apart.empty());
  EXPECT_EQ(looking.end({declared(array, 0, 8, 1)}).source, hotness_source::declared);
}

TEST_F(with_fake_bits, much_data_elsewhere_leaves_it_to_declarations) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  for (unsigned i = 0; i < 2 * hotness::few_sweeps; ++i) looking.sweep();
  const std::uintptr_t elsewhere = number(array) & ~((std::uintptr_t{1} << 40) - 1);
  const hotness_found found = looking.end({{elsewhere, elsewhere + pages * base_page, 1, true}});
  EXPECT_EQ(found.source, hotness_source::declared);
  EXPECT_EQ(found.areas.front().begin, elsewhere);
}

TEST_F(with_fake_bits, containers_that_are_made_or_end_meanwhile) {
  const placed_memory first = pages_of_an_array();
  std::optional<placed_memory> second(pages_of_an_array(pages / 2));
  looking.begin(parts);
  const placed_memory third = pages_of_an_array(pages / 4);
  looking.sweep();
  EXPECT_TRUE(std::any_of(kernel.apart.begin(), kernel.apart.end(), [&](const auto& each) {
    return each.first >= number(third) && each.first < number(third) + third.size();
  }));
  const std::uintptr_t gone = number(*second);
  second.reset();
  for (const auto& each : kernel.apart) kernel.accessed.insert(each.first);
  const hotness_found found = looking.end({});
  std::size_t covered = 0;
  for (const profile::data_area& each : found.areas) {
    covered += each.bytes();
    EXPECT_FALSE(each.begin >= gone && each.begin < gone + pages / 2 * base_page);
  }
  EXPECT_EQ(covered, first.size() + third.size());
}

TEST_F(with_fake_bits, a_sweeper_sweeps_until_it_ends) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  std::atomic<bool> first{false};
  {
    const profile::sweeper works(looking, [&] { first = true; });
    while (looking.sweeps() < 2) std::this_thread::yield();
  }
  EXPECT_TRUE(first);
  const std::uint32_t swept = looking.sweeps();
  EXPECT_EQ(kernel.looks, swept);
  EXPECT_EQ(looking.end({}).source, hotness_source::none);  // nothing was accessed
}

TEST_F(with_fake_bits, a_sweepers_thread_makes_the_last_call) {
  const placed_memory array = pages_of_an_array();
  looking.begin(parts);
  profile::sweeper works(looking, [] {});
  std::thread::id where;
  works.finish([&] { where = std::this_thread::get_id(); });
  EXPECT_NE(where, std::thread::id());
  EXPECT_NE(where, std::this_thread::get_id()) << "a task's stack may be too small for it";

  profile::sweeper fails(looking, [] {});
  EXPECT_THROW(fails.finish([] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_F(with_fake_bits, without_a_sweepers_thread_the_caller_makes_it) {
  profile::sweeper gone(looking, [] { throw std::bad_alloc(); });
  std::thread::id where;
  gone.finish([&] { where = std::this_thread::get_id(); });
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST(held_memory, is_the_memory_of_containers) {
  const auto is_held = [](const void* data) {
    const numa::held_now now = numa::all_held();
    return std::any_of(now.ranges.begin(), now.ranges.end(), [data](const auto& each) { return each.data == data; });
  };
  std::optional<placed_memory> one(pages_of_an_array(2));
  const void* const at = one->data();
  EXPECT_TRUE(is_held(at));
  placed_memory other(std::move(*one));
  one.reset();
  EXPECT_TRUE(is_held(at));
  other = pages_of_an_array(3);
  EXPECT_FALSE(is_held(at));
  const std::size_t size = other.size();
  std::byte* const released = other.release();
  EXPECT_FALSE(is_held(released));
  munmap(released, size);
}

}  // namespace
}  // namespace jackdaw::test
