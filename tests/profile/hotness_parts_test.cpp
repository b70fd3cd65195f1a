// The parts of hotness, without a kernel.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "profile/fake_pages.hpp"
#include "profile/hotness/access_log.hpp"
#include "profile/hotness/accessed_bits.hpp"
#include "profile/hotness/data_area.hpp"
#include "profile/hotness/declared_heat.hpp"
#include "profile/hotness/smaps.hpp"

namespace jackdaw::test {
namespace {

using profile::access_log;
using profile::accessed_bits;
using profile::data_area;

constexpr std::size_t page = 4096;

TEST(smaps, reports_each_mapping) {
  profile::smaps_reader reader(
      "7f00-8f00 rw-p 00000000 00:00 0 \nSize: 4 kB\nReferenced:          12 kB\nVmFlags: rd wr mr\n"
      "abcd000-abce000 r--p 00000000 08:01 77   /lib/x\nShmemPmdMapped: 0 kB\n");
  profile::smaps_reader::mapping at;
  ASSERT_TRUE(reader.next(at));
  EXPECT_EQ(at.begin, 0x7f00u);
  EXPECT_EQ(at.end, 0x8f00u);
  EXPECT_EQ(at.referenced, 12u * 1024);
  ASSERT_TRUE(reader.next(at));
  EXPECT_EQ(at.begin, 0xabcd000u);
  EXPECT_EQ(at.referenced, 0u);
  EXPECT_FALSE(reader.next(at));
}

TEST(smaps, of_other_text_is_empty) {
  profile::smaps_reader reader("nonsense\n\nReferenced: 4 kB\n");
  profile::smaps_reader::mapping at;
  EXPECT_FALSE(reader.next(at));
}

TEST(data_areas, are_of_equal_size_and_cover_the_range) {
  const data_area range{page * 100, page * 203, page};
  std::vector<data_area> areas;
  divide(range, profile::area_length({range}, 10), areas);
  ASSERT_EQ(areas.size(), 10u);
  EXPECT_EQ(areas.front(), (data_area{page * 100, page * 111, page}));
  EXPECT_EQ(areas.back(), (data_area{page * 199, page * 203, page}));
  for (std::size_t i = 1; i < areas.size(); ++i) EXPECT_EQ(areas[i].begin, areas[i - 1].end);
}

TEST(data_areas, are_never_less_than_a_page) {
  const data_area range{0, 3 * page, page};
  std::vector<data_area> areas;
  divide(range, profile::area_length({range}, 1000), areas);
  EXPECT_EQ(areas.size(), 3u);
}

TEST(sampled_pages, are_different_ones_of_the_area_and_the_same_each_time) {
  const data_area area{64 * page, 164 * page, page};
  const auto chosen = sampled_pages(area, 4, 7);
  ASSERT_EQ(chosen.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(chosen[i] % page, 0u);
    EXPECT_GE(chosen[i], area.begin + i * 25 * page);
    EXPECT_LT(chosen[i], area.begin + (i + 1) * 25 * page);
  }
  EXPECT_EQ(chosen, sampled_pages(area, 4, 7));
  EXPECT_NE(chosen, sampled_pages(area, 4, 8));
}

TEST(sampled_pages, are_all_pages_of_a_small_area) {
  const data_area area{64 * page, 67 * page, page};
  EXPECT_EQ(sampled_pages(area, 4, 1), (std::vector<std::uintptr_t>{64 * page, 65 * page, 66 * page}));
}

TEST(heat, is_equation_4) {
  // n_p = 100, b = 4, a = 3, 0, 5, 4.
  EXPECT_DOUBLE_EQ(profile::heat_of({0, 100 * page, page}, (3 + 0 + 5 + 4) / 4.0, page), 100.0 / 4 * 12);
}

class bits : public testing::Test {
 protected:
  static constexpr auto all_are_there = [](const accessed_bits::page&) { return true; };
  fake_pages kernel;
  accessed_bits watched{kernel};
};

TEST_F(bits, are_counted_once_a_sweep) {
  kernel.accessed = {10 * page};
  ASSERT_EQ(watched.add({{.at = 30 * page, .bytes = page}, {.at = 10 * page, .bytes = page}}), 0);
  EXPECT_EQ(watched.sweep(all_are_there), 0);  // earlier accesses do not count
  for (int i = 0; i < 2; ++i) {
    kernel.accessed = {30 * page};
    EXPECT_EQ(watched.sweep(all_are_there), 0);
  }
  EXPECT_EQ(watched.sweep(all_are_there), 0);
  EXPECT_EQ(watched.pages()[0].seen, 0);
  EXPECT_EQ(watched.pages()[1].seen, 2);
  watched.leave(all_are_there);
  EXPECT_TRUE(kernel.apart.empty());
}

TEST_F(bits, of_pages_reported_together_are_shared) {
  ASSERT_EQ(watched.add({{.at = 4 * page, .bytes = page}, {.at = 5 * page, .bytes = page}}), 0);
  kernel.joined = {4 * page};
  kernel.accessed = {5 * page};
  EXPECT_EQ(watched.sweep(all_are_there), 0);
  EXPECT_EQ(watched.pages()[0].seen, 0.5);
  EXPECT_EQ(watched.pages()[1].seen, 0.5);
}

TEST_F(bits, of_unmapped_pages_are_left_alone) {
  ASSERT_EQ(watched.add({{.at = 4 * page, .bytes = page}}), 0);
  kernel.accessed = {4 * page};
  const auto none_is_there = [](const accessed_bits::page&) { return false; };
  EXPECT_EQ(watched.sweep(none_is_there), 0);
  EXPECT_TRUE(kernel.accessed.contains(4 * page));
  watched.leave(none_is_there);
  EXPECT_TRUE(kernel.apart.contains(4 * page));
}

TEST_F(bits, refused_half_way_leave_nothing_behind) {
  kernel.refused_from = 1;
  EXPECT_EQ(watched.add({{.at = 4 * page, .bytes = page}, {.at = 9 * page, .bytes = page}}), EPERM);
  EXPECT_TRUE(kernel.apart.empty());
  EXPECT_TRUE(watched.pages().empty());
}

double lines_of(const std::vector<access_log::entry>& entries) {
  return std::accumulate(entries.begin(), entries.end(), 0.0,
                         [](double sum, const access_log::entry& each) { return sum + each.lines; });
}

TEST(access_log, is_bounded_and_loses_no_lines) {
  access_log log(64);
  for (std::uintptr_t i = 0; i < 10000; ++i) {
    const std::uintptr_t at = (i * 7919 % 10000) * 256;
    log.add({at, at + 256, 4, i % 2 == 0});
  }
  EXPECT_LE(log.entries().size(), 64u);
  EXPECT_EQ(lines_of(log.entries()), 40000);
}

TEST(access_log, keeps_entries_that_are_repeated_apart_from_others) {
  access_log log(64);
  for (int round = 0; round < 100; ++round) {
    for (std::uintptr_t i = 0; i < 8; ++i) log.add({i * page, (i + 1) * page, i == 3 ? 640.0 : 64.0, true});
  }
  const auto heat = declared_heat(log.entries(), {{0, 3 * page, page}, {3 * page, 4 * page, page}});
  EXPECT_DOUBLE_EQ(heat[0], 3 * 6400);
  EXPECT_DOUBLE_EQ(heat[1], 64000);
}

TEST(declared_heat, is_divided_as_the_range_is) {
  const std::vector<data_area> areas = {{0, 2 * page, page}, {2 * page, 4 * page, page}, {8 * page, 9 * page, page}};
  const auto heat = declared_heat({{page, 5 * page, 100, false}, {8 * page, 9 * page, 7, true}}, areas);
  EXPECT_EQ(heat, (std::vector<double>{25, 50, 7}));
}

TEST(declared_heat, of_whole_arrays_is_even_and_leaves_others_cold) {
  std::vector<data_area> areas;
  for (std::uintptr_t i = 0; i < 20; ++i) areas.push_back({i * page, (i + 1) * page, page});
  std::vector<access_log::entry> declared;
  for (int i = 0; i < 10; ++i) declared.push_back({page / 2, 9 * page + page / 2, 0.9, false});
  declared.push_back({3 * page, 6 * page, 3, true});
  const auto heat = declared_heat(declared, areas);
  EXPECT_DOUBLE_EQ(heat[0], 0.5);
  EXPECT_DOUBLE_EQ(heat[9], 0.5);
  for (std::size_t i = 1; i < 9; ++i) EXPECT_DOUBLE_EQ(heat[i], i >= 3 && i < 6 ? 2 : 1);
  for (std::size_t i = 10; i < 20; ++i) EXPECT_EQ(heat[i], 0);
}

/// Seconds of processor time: other programs do not count.
template <class F>
double seconds_of(F f) {
  timespec before{}, after{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
  f();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
  return static_cast<double>(after.tv_sec - before.tv_sec) + static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
}

TEST(declared_heat, takes_no_longer_for_accesses_to_whole_arrays) {
  std::vector<data_area> areas;
  for (std::uintptr_t i = 0; i < 1 << 13; ++i) areas.push_back({i * page, (i + 1) * page, page});
  const std::vector<access_log::entry> declared(1 << 18, {0, page << 13, 1 << 13, false});
  std::vector<double> heat;
  EXPECT_LT(seconds_of([&] { heat = declared_heat(declared, areas); }), 1.5);
  EXPECT_DOUBLE_EQ(heat.back(), 1 << 18);
}

TEST(written_elsewhere, takes_time_in_proportion_to_what_is_written_and_known) {
  constexpr std::size_t count = 1 << 17;
  std::vector<data_area> known;
  std::vector<access_log::entry> declared;
  for (std::uintptr_t i = 0; i < count; ++i) {
    known.push_back({(4 * i + 1) * page, (4 * i + 2) * page, page});
    declared.push_back({4 * i * page, (4 * i + 3) * page, 1, true});
  }
  std::vector<data_area> found;
  EXPECT_LT(seconds_of([&] { found = written_elsewhere(declared, known, page, page); }), 1.5);
  EXPECT_EQ(found.size(), 2 * count);
}

TEST(written_elsewhere, knows_what_reaches_over_several_written_ranges) {
  const auto found = profile::written_elsewhere(
      {{0, 2 * page, 1, true}, {4 * page, 6 * page, 1, true}, {8 * page, 12 * page, 1, true}},
      {{page, 9 * page, page}, {10 * page, 11 * page, page}}, page, page);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (data_area{0, page, page}));
  EXPECT_EQ(found[1], (data_area{9 * page, 10 * page, page}));
  EXPECT_EQ(found[2], (data_area{11 * page, 12 * page, page}));
}

TEST(written_elsewhere, is_data_that_no_container_owns) {
  const std::vector<data_area> known = {{10 * page, 20 * page, page}};
  const std::vector<access_log::entry> declared = {{5 * page + 1, 12 * page, 1, true},    // its first page as a whole
                                                   {15 * page, 25 * page, 1, true},       // sticks out
                                                   {40 * page, 50 * page, 1, false},      // only read
                                                   {60 * page, 61 * page, 1, true},       // short, but
                                                   {61 * page, 64 * page, 1, true},       // goes on here
                                                   {80 * page, 80 * page + 8, 1, true}};  // a local variable
  const auto found = written_elsewhere(declared, known, page, 4 * page);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (data_area{5 * page, 10 * page, page}));
  EXPECT_EQ(found[1], (data_area{20 * page, 25 * page, page}));
  EXPECT_EQ(found[2], (data_area{60 * page, 64 * page, page}));
}

}  // namespace
}  // namespace jackdaw::test
