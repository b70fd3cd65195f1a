#include "sim/memory/page_heat.hpp"

#include <gtest/gtest.h>

namespace jackdaw::sim {
namespace {

/// Two areas of four pages, all of which are sampled; looks every 10 ns.
page_heat two_areas(hotness source) {
  page_heat made;
  made.begin(8, 2, 1, source);
  made.look_every(10, 100);
  return made;
}

/// Page 0 is accessed `often` times and page 4 once between two looks, `looks` times.
void access(page_heat& heat, int looks, int often) {
  for (int look = 0; look < looks; ++look) {
    heat.at(105 + 10 * look);
    for (int i = 0; i < often; ++i) heat.access(0, 8, 3);
    heat.access(4, 8, 3);
  }
}

TEST(page_heat, accessed_bits_saturate) {
  page_heat heat = two_areas(hotness::accessed_bits);
  access(heat, 6, 50);
  const auto areas = heat.end(160);
  ASSERT_EQ(areas.size(), 2);
  EXPECT_EQ(areas[0].heat, 6);
  EXPECT_EQ(areas[1].heat, 6);
  EXPECT_FALSE(heat.watching());
}

TEST(page_heat, accessed_bits_tell_pages_that_few_looks_found_from_those_of_all_looks) {
  page_heat heat = two_areas(hotness::accessed_bits);
  access(heat, 5, 1);
  for (int look = 5; look < 9; ++look) {
    heat.at(105 + 10 * look);
    heat.access(0, 8, 0);  // in a cache: the processor notes it all the same
  }
  const auto areas = heat.end(195);  // what came after the look at 190 is not found
  EXPECT_EQ(areas[0].heat, 9);
  EXPECT_EQ(areas[1].heat, 5);
}

TEST(page_heat, what_no_look_follows_is_not_found) {
  page_heat heat = two_areas(hotness::accessed_bits);
  access(heat, 6, 1);
  const auto areas = heat.end(159);
  EXPECT_EQ(areas[0].heat, 5);
}

TEST(page_heat, after_few_looks_declared_lines_count) {
  page_heat heat = two_areas(hotness::accessed_bits);
  access(heat, 2, 50);
  const auto areas = heat.end(120);
  EXPECT_EQ(areas[0].heat, 2 * 50 * 8);
  EXPECT_EQ(areas[1].heat, 2 * 8);
}

TEST(page_heat, address_samples_count_fetched_lines_however_short_the_watch) {
  page_heat heat = two_areas(hotness::address_samples);
  access(heat, 1, 50);
  const auto areas = heat.end(110);
  EXPECT_EQ(areas[0].heat, 50 * 3);
  EXPECT_EQ(areas[1].heat, 3);
}

}  // namespace
}  // namespace jackdaw::sim
