#include "sim/memory/address_space.hpp"

#include <gtest/gtest.h>

#include <array>
#include <jackdaw/error.hpp>
#include <random>
#include <string>
#include <vector>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

using trace::access;

/// The addresses of an access's bytes, in order. What is in several rows comes once.
std::vector<std::uint64_t> addresses(const access& of) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t row = 0; row < of.rows; ++row)
    for (std::uint64_t i = 0; i < of.length; ++i)
      if (const std::uint64_t at = of.address + row * of.stride + i; result.empty() || at > result.back())
        result.push_back(at);
  return result;
}

std::vector<std::uint64_t> addresses(const address_space& space, std::uint64_t index) {
  std::vector<std::uint64_t> result;
  for (const dense_access& each : space.accesses(index, 1))
    for (std::uint64_t row = 0; row < each.rows; ++row)
      for (std::uint64_t i = 0; i < each.length; ++i)
        result.push_back(space.address_of(each.first + row * each.stride + i));
  return result;
}

TEST(address_space, numbers_touched_pages_in_order_of_address_without_gaps) {
  const std::vector<access> accesses{{.address = 0x10000, .length = 10}, {.address = 0x5ffe, .length = 4}};
  const address_space space(accesses, 512, 4096);
  EXPECT_EQ(space.pages(), 3);
  EXPECT_EQ(space.blocks(), 24);
  EXPECT_EQ(space.offset_of(0x5fff), 0xfff);
  EXPECT_EQ(space.offset_of(0x6000), 0x1000);
  EXPECT_EQ(space.offset_of(0x10003), 0x2003);
  EXPECT_EQ(space.offset_of(0x7000), address_space::none);
  EXPECT_EQ(space.offset_of(0), address_space::none);
  EXPECT_EQ(space.address_of(0x2003), 0x10003);
  EXPECT_EQ(space.page_of_block(15), 1);
  EXPECT_EQ(space.accesses(0, 1)[0].first, 0x2000);
}

TEST(address_space, without_accesses_is_empty) {
  const address_space space({}, 64, 4096);
  EXPECT_EQ(space.pages(), 0);
  EXPECT_TRUE(space.accesses(0, 0).empty());
  EXPECT_EQ(space.offset_of(5), address_space::none);
}

TEST(address_space, an_access_of_no_bytes_is_none) {
  const std::vector<access> accesses{
      {.address = 1, .length = 0}, {.address = 9, .length = 1, .rows = 0}, {.length = 1}};
  const address_space space(accesses, 64, 4096);
  EXPECT_TRUE(space.accesses(0, 2).empty());
  EXPECT_EQ(space.accesses(0, 3).size(), 1);
  EXPECT_EQ(space.pages(), 1);
}

TEST(address_space, rows_without_a_gap_are_one_row) {
  const std::vector<access> accesses{{.address = 64, .length = 100, .stride = 100, .rows = 7, .write = true}};
  const address_space space(accesses, 64, 4096);
  ASSERT_EQ(space.accesses(0, 1).size(), 1);
  EXPECT_EQ(space.accesses(0, 1)[0].length, 700);
  EXPECT_EQ(space.accesses(0, 1)[0].rows, 1);
  EXPECT_TRUE(space.accesses(0, 1)[0].write);
}

TEST(address_space, rows_that_overlap_are_one_row) {
  const std::vector<access> accesses{{.address = 64, .length = 100, .stride = 60, .rows = 7},
                                     {.address = 64, .length = 64, .stride = 0, .rows = 4'000'000'000}};
  const address_space space(accesses, 64, 4096);
  ASSERT_EQ(space.accesses(0, 2).size(), 2);
  EXPECT_EQ(space.accesses(0, 1)[0].length, 460);
  EXPECT_EQ(space.accesses(1, 1)[0].length, 64);
  for (const dense_access& each : space.accesses(0, 2)) EXPECT_EQ(each.rows, 1);
}

TEST(address_space, rows_in_different_extents_are_split_and_stay_in_order) {
  // Rows 0 and 2 have a page each for themselves, row 1 follows on a page that something else joins to row 0's.
  const std::vector<access> accesses{{.address = 0x8000, .length = 16, .stride = 0x3000, .rows = 4},
                                     {.address = 0x9000, .length = 0x2000}};
  const address_space space(accesses, 64, 4096);
  EXPECT_EQ(space.pages(), 6);
  EXPECT_EQ(space.accesses(0, 1).size(), 3);
  EXPECT_EQ(space.accesses(0, 1)[0].rows, 2);
  EXPECT_EQ(addresses(space, 0), addresses(accesses[0]));
  EXPECT_EQ(addresses(space, 1), addresses(accesses[1]));
}

TEST(address_space, translates_random_accesses_to_their_own_bytes) {
  std::mt19937_64 random(7);
  std::vector<access> accesses;
  for (int i = 0; i < 300; ++i)
    accesses.push_back({.address = random() % 2000000,
                        .length = random() % 300,
                        .stride = random() % 3 == 0 ? random() % 200 : random() % 30000,
                        .rows = static_cast<std::uint32_t>(random() % 8),
                        .write = random() % 2 == 0});
  const address_space space(accesses, 256, 1024);
  for (std::uint64_t i = 0; i < accesses.size(); ++i) {
    ASSERT_EQ(addresses(space, i), addresses(accesses[i])) << i;
    for (const dense_access& each : space.accesses(i, 1)) ASSERT_EQ(each.write, accesses[i].write);
  }
  for (std::uint64_t page = 1; page < space.pages(); ++page)
    ASSERT_LT(space.address_of((page - 1) * 1024), space.address_of(page * 1024));
}

TEST(address_space, only_touched_pages_have_a_number) {
  std::mt19937_64 random(8);
  std::vector<access> accesses;
  std::vector<bool> touched(600);
  for (int i = 0; i < 60; ++i) {
    accesses.push_back(
        {.address = random() % 400000, .length = 1 + random() % 500, .stride = random() % 9000, .rows = 3});
    for (const std::uint64_t address : addresses(accesses.back())) touched[address / 1024] = true;
  }
  const address_space space(accesses, 64, 1024);
  EXPECT_EQ(space.pages(), static_cast<std::uint64_t>(std::count(touched.begin(), touched.end(), true)));
}

TEST(address_space, reports_accesses_that_it_cannot_use) {
  const std::vector<access> beyond{{.address = ~std::uint64_t{0} - 10, .length = 6, .stride = 6, .rows = 2}};
  EXPECT_THROW(address_space(beyond, 64, 4096), error);
  const std::vector<access> product{{.length = 1, .stride = ~std::uint64_t{0}, .rows = 3}};
  EXPECT_THROW(address_space(product, 64, 4096), error);
  EXPECT_THROW(address_space({}, 100, 4096), error);
  EXPECT_THROW(address_space({}, 32, 4096), error);
  EXPECT_THROW(address_space({}, 8192, 16384), error);
  EXPECT_THROW(address_space({}, 512, 256), error);
  EXPECT_THROW(address_space({}, 512, 5000), error);
  const std::vector<access> huge{{.length = std::uint64_t{1} << 38}};
  EXPECT_THROW(address_space(huge, 64, std::uint64_t{1} << 30), error);
  // Neither takes the time or the memory that its pages would.
  const std::vector<access> all{{.length = std::uint64_t{1} << 60}};
  EXPECT_THROW(address_space(all, 64, 4096), error);
  const std::vector<access> rows{{.length = 64, .stride = 1 << 20, .rows = 4'000'000'000}};
  EXPECT_THROW(address_space(rows, 4096, 1 << 20), error);
}

TEST(address_space, last_byte_of_all_is_usable) {
  const std::vector<access> end{{.address = ~std::uint64_t{0} - 10, .length = 11}};
  const address_space space(end, 64, 4096);
  EXPECT_EQ(space.pages(), 1);
  EXPECT_EQ(space.offset_of(~std::uint64_t{0}), 4095);
}

using parts = std::vector<std::array<std::uint64_t, 3>>;

parts named_in(const address_space& space) {
  parts found;
  for (const named_part& each : space.named()) found.push_back({each.first, each.end, each.name});
  return found;
}

TEST(address_space, finds_what_has_a_name_in_pages_that_are_touched) {
  trace::task_tree tree;
  tree.accesses = {{.address = 4096, .length = 8192}, {.address = 10 * 4096, .length = 1}};
  // It begins and ends in pages that nothing touches, and leaves out those between.
  tree.named = {{100, 4096 * 10, "b"}, {10 * 4096 + 100, 50, "a"}, {10 * 4096 + 150, 1 << 20, "b"}};
  const address_space space(tree, small_machine());
  EXPECT_EQ(space.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(named_in(space), (parts{{0, 8192, 1}, {8192, 8292, 1}, {8292, 8342, 0}, {8342, 3 * 4096, 1}}));
  EXPECT_TRUE(address_space(tree.accesses, 64, 4096).named().empty());
}

TEST(address_space, finds_names_at_the_end_of_all) {
  trace::task_tree tree;
  tree.accesses = {{.address = ~std::uint64_t{0} - 10, .length = 11}};
  tree.named = {{~std::uint64_t{0} - 7, 7, "last"}};
  EXPECT_EQ(named_in(address_space(tree, small_machine())), (parts{{4088, 4095, 0}}));
}

TEST(address_space, tells_the_largest_names_apart) {
  trace::task_tree tree;
  tree.accesses = {{.address = 0, .length = 1 << 22}};
  for (std::uint64_t i = 0; i < 300; ++i) tree.named.push_back({i * 4096, i + 1, std::to_string(1000 + i)});
  const address_space space(tree, small_machine());
  ASSERT_EQ(space.names().size(), address_space::most_names);
  EXPECT_EQ(space.names().front(), std::to_string(1300 - address_space::most_names));
  EXPECT_EQ(space.named().size(), address_space::most_names);
}

}  // namespace
}  // namespace jackdaw::sim
