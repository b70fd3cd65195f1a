#include "sim/memory/one_pass.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "support/sanitized.hpp"

namespace jackdaw::sim {
namespace {

using row = std::tuple<std::uint64_t, std::uint64_t, bool>;  // first, length, write

std::vector<row> rows_of(std::span<const dense_access> accesses) {
  std::vector<row> rows;
  for (const dense_access& each : accesses)
    for (std::uint64_t at = 0; at < each.rows; ++at)
      rows.emplace_back(each.first + at * each.stride, each.length, each.write);
  return rows;
}

std::vector<row> in_one_pass(std::span<const dense_access> accesses) {
  std::vector<row> rows;
  one_pass().for_each_row(accesses, [&](std::uint64_t first, std::uint64_t length, bool write) {
    rows.emplace_back(first, length, write);
  });
  return rows;
}

TEST(one_pass, what_does_not_overlap_stays_in_its_order) {
  const std::vector<dense_access> apart{{.first = 9000, .length = 9000}, {.first = 0, .length = 9000, .write = true}};
  EXPECT_EQ(in_one_pass(apart), rows_of(apart));
  EXPECT_TRUE(in_one_pass({}).empty());
}

TEST(one_pass, reads_and_writes_of_the_same_bytes_take_turns) {
  const std::vector<dense_access> in_place{{.first = 1000, .length = 8000},
                                           {.first = 20000, .length = 8000, .stride = 9000, .rows = 2},
                                           {.first = 1000, .length = 8000, .write = true}};
  EXPECT_EQ(in_one_pass(in_place), (std::vector<row>{{1000, 3096, false},
                                                     {1000, 3096, true},
                                                     {4096, 4096, false},
                                                     {4096, 4096, true},
                                                     {8192, 808, false},
                                                     {8192, 808, true},
                                                     {20000, 8000, false},
                                                     {29000, 8000, false}}));
}

TEST(one_pass, a_stencil_in_place_goes_down_its_rows) {
  const std::vector<dense_access> stencil{{.first = 0, .length = 100, .stride = 128, .rows = 4},
                                          {.first = 136, .length = 84, .stride = 128, .rows = 2, .write = true}};
  EXPECT_EQ(
      in_one_pass(stencil),
      (std::vector<row>{
          {0, 100, false}, {128, 100, false}, {136, 84, true}, {256, 100, false}, {264, 84, true}, {384, 100, false}}));
}

/// So that a simulation is the same on every computer.
TEST(one_pass, of_equal_beginnings_the_first_comes_first) {
  const std::vector<dense_access> equal{
      {.first = 0, .length = 100}, {.first = 0, .length = 300}, {.first = 0, .length = 200}};
  EXPECT_EQ(in_one_pass(equal), (std::vector<row>{{0, 100, false}, {0, 300, false}, {0, 200, false}}));
}

/// Nothing is kept of a billion rows.
TEST(one_pass, takes_memory_for_accesses_not_for_rows) {
  one_pass pass;
  const std::vector<dense_access> many{{.first = 0, .length = 8, .stride = 64, .rows = 1 << 20},
                                       {.first = 8, .length = 8, .stride = 64, .rows = 1 << 20, .write = true}};
  std::uint64_t rows = 0;
  pass.for_each_row(many, [&](std::uint64_t, std::uint64_t, bool) { ++rows; });
  EXPECT_EQ(rows, std::uint64_t{2} << 20);
  EXPECT_LT(pass.footprint(), 1024U);
}

/// The bytes read and the bytes written, each as often as it is, must be the same in any order.
TEST(one_pass, no_byte_is_lost_or_added) {
  std::mt19937_64 random(1);
  for (int round = 0; round < (jackdaw::test::sanitized ? 50 : 300); ++round) {
    std::vector<dense_access> accesses(random() % 8);
    for (dense_access& each : accesses)
      each = {.first = random() % 30000,
              .length = 1 + random() % 9000,
              .stride = random() % 5000,
              .rows = static_cast<std::uint32_t>(1 + random() % 4),
              .write = random() % 2 == 0};
    const auto bytes = [](const std::vector<row>& rows) {
      std::multiset<std::pair<std::uint64_t, bool>> all;
      for (const auto& [first, length, write] : rows)
        for (std::uint64_t at = first; at < first + length; ++at) all.emplace(at, write);
      return all;
    };
    ASSERT_EQ(bytes(in_one_pass(accesses)), bytes(rows_of(accesses))) << round;
  }
}

}  // namespace
}  // namespace jackdaw::sim
