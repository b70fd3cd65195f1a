#include "trace/relocate.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace jackdaw::trace {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t origin = std::uint64_t{2} << 20;

std::vector<access> relocated(std::vector<access> accesses) {
  task_tree tree;
  tree.accesses = std::move(accesses);
  relocate(tree);
  return tree.accesses;
}

std::vector<std::uint64_t> addresses(const std::vector<access>& accesses) {
  std::vector<std::uint64_t> found;
  for (const access& each : relocated(accesses)) found.push_back(each.address);
  return found;
}

using list = std::vector<std::uint64_t>;

TEST(relocate, does_not_depend_on_where_objects_lay) {
  // Two arrays and a small object, as the system may place them in either order; the program touches `b` first.
  const auto run = [](std::uint64_t a, std::uint64_t b, std::uint64_t small) {
    return relocated({{.address = b + 16, .length = 8 * page},
                      {.address = a + 16, .length = 100, .stride = page, .rows = 9, .write = true},
                      {.address = small + 48, .length = 8},
                      {.address = b + 16 + 4 * page, .length = page},
                      {.address = a + 16 + page, .length = 1}});
  };
  const std::vector<access> once = run(0x7f0000000000, 0x7f0000100000, 0x550000000000);
  EXPECT_EQ(once, run(0x7f1200345000, 0x7f1200123000, 0x7ffd00000000));
  EXPECT_EQ(once[0].address, origin);
  EXPECT_EQ(once[1].address, origin + 8 * page);
  EXPECT_EQ(once[1].stride, page);
  EXPECT_TRUE(once[1].write);
  EXPECT_EQ(once[2].address, origin + 17 * page);
  EXPECT_EQ(once[3].address, once[0].address + 4 * page);
  EXPECT_EQ(once[4].address, once[1].address + page);
}

TEST(relocate, moves_names_with_the_objects_that_have_them) {
  task_tree tree;
  const std::uint64_t a = 0x7f0000000000, b = a + 64 * page;
  tree.accesses = {
      {.address = b, .length = 2 * page}, {.address = a + 100, .length = 50}, {.address = b + 9 * page, .length = 8}};
  // The first name covers more than is touched, the second one two objects, the third one nothing.
  tree.named = {{a, page, "a"}, {b + 8, 16 * page, "b"}, {b + 32 * page, page, "c"}};
  relocate(tree);
  const std::vector<named_memory> expected = {
      {origin + 8, 2 * page - 8, "b"}, {origin + 2 * page, 50, "a"}, {origin + 3 * page, 8, "b"}};
  EXPECT_EQ(tree.named, expected);
  EXPECT_EQ(tree.accesses[0].address, origin);
}

TEST(relocate, does_not_depend_on_the_alignment_of_the_heap) {
  // Arrays of less than a page and more, allocated one after another, and one far away.
  const auto run = [](std::uint64_t heap) {
    const std::uint64_t a = heap, b = a + 1040, c = b + 3 * page + 24, d = c + 5000 + 3 * page;
    return relocated({{.address = c, .length = 5000},
                      {.address = a + 8, .length = 1000, .write = true},
                      {.address = b, .length = 24, .stride = 520, .rows = 20},
                      {.address = d, .length = 777},
                      {.address = b + page, .length = 8}});
  };
  const std::vector<access> once = run(1000 * page);
  for (std::uint64_t shift = 16; shift < 3 * page; shift += 16) ASSERT_EQ(run(1000 * page + shift), once) << shift;
  EXPECT_EQ(once[1].address, origin);
  EXPECT_EQ(once[3].address % page, 0);
}

TEST(relocate, keeps_together_what_overlaps_or_has_less_than_a_page_between) {
  const std::uint64_t at = 1000 * page;
  // Overlapping; adjoining; in the same page; the next page after a gap.
  EXPECT_EQ(addresses({{.address = at, .length = page + 10}, {.address = at + page, .length = 2 * page}}),
            (list{origin, origin + page}));
  EXPECT_EQ(addresses({{.address = at + page, .length = page}, {.address = at, .length = page}}),
            (list{origin + page, origin}));
  EXPECT_EQ(addresses({{.address = at + 8, .length = 8}, {.address = at + 4088, .length = 8}}),
            (list{origin, origin + 4080}));
  EXPECT_EQ(addresses({{.address = at, .length = page - 1}, {.address = at + page, .length = 1}}),
            (list{origin, origin + page}));
  // A gap of less than a page, and of one.
  EXPECT_EQ(addresses({{.address = at, .length = 8}, {.address = at + 8 + page - 1, .length = 1}}),
            (list{origin, origin + 8 + page - 1}));
  EXPECT_EQ(addresses({{.address = at, .length = 8}, {.address = at + 8 + page, .length = 1}}),
            (list{origin, origin + page}));
  // What lies between the rows of another one's access belongs to it.
  EXPECT_EQ(addresses({{.address = at + 5 * page, .length = 8},
                       {.address = at, .length = 8, .stride = 10 * page, .rows = 2}}),
            (list{origin + 5 * page, origin}));
}

TEST(relocate, gives_each_object_small_pages_of_its_own_and_leaves_no_gaps_of_large_ones) {
  EXPECT_EQ(addresses({{.address = 5 * origin + 4000, .length = origin}, {.address = 100 * origin, .length = 1}}),
            (list{origin, 2 * origin}));
}

TEST(relocate, leaves_alone_what_does_not_fit) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(addresses({{.address = page, .length = most - 2 * page}}), list{page});
  EXPECT_EQ(addresses({}), list{});
}

}  // namespace
}  // namespace jackdaw::trace
