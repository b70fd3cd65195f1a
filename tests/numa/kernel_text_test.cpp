// Parsers of the system's files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "numa/numa_kernel.hpp"
#include "numa/page_sizes.hpp"

namespace jackdaw::numa {
namespace {

TEST(kernel_text, node_lists) {
  EXPECT_EQ(parse_node_list("0"), std::vector<unsigned>{0});
  EXPECT_EQ(parse_node_list("0-3,8"), (std::vector<unsigned>{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_node_list(""), std::vector<unsigned>{});
  EXPECT_EQ(parse_node_list("x"), std::nullopt);
  EXPECT_EQ(parse_node_list("3-1"), std::nullopt);
  EXPECT_EQ(parse_node_list("0-"), std::nullopt);
  EXPECT_EQ(parse_node_list("1 2"), std::nullopt);
  EXPECT_EQ(parse_node_list("0-4000000000"), std::nullopt);
}

TEST(kernel_text, free_memory_of_a_node_counts_files_that_can_be_dropped) {
  EXPECT_EQ(parse_free_bytes("Node 4 MemTotal:         524288 kB\n"
                             "Node 4 MemFree:          400000 kB\n"
                             "Node 4 Active(file):         24 kB\n"
                             "Node 4 Inactive(file):      100 kB\n"
                             "Node 4 Unevictable:       10000 kB\n"),
            400124u * 1024);
  EXPECT_EQ(parse_free_bytes("Node 4 Active(file): 24 kB\n"), std::nullopt);
  EXPECT_EQ(parse_free_bytes(""), std::nullopt);
}

TEST(kernel_text, the_kernels_reserve_on_a_node) {
  const std::string zones =
      "Node 0, zone      DMA\n  per-node stats\n      nr_inactive_anon 1\n  pages free     3840\n"
      "        boost    0\n        min      5\n        low      8\n        high     11\n"
      "Node 0, zone   Normal\n  pages free     1\n        min      50\n        low      70\n        high     99\n"
      "Node 1, zone   Normal\n  pages free     1\n        min      50\n        low      60\n"
      "Node 10, zone  Normal\n  pages free     1\n        low      1000\n"
      "Node 2, zone  Movable\n  pages free     0\n";
  EXPECT_EQ(parse_kept_back(zones, 0), 78u);
  EXPECT_EQ(parse_kept_back(zones, 1), 60u);
  EXPECT_EQ(parse_kept_back(zones, 2), 0u);
  EXPECT_EQ(parse_kept_back(zones, 10), 1000u);
  EXPECT_EQ(parse_kept_back("", 0), 0u);
}

TEST(kernel_text, huge_pages_count_if_the_kernel_gives_them) {
  const auto huge = [](const char* enabled, const char* size) { return parse_page_sizes(4096, enabled, size).huge; };
  EXPECT_EQ(huge("[always] madvise never\n", "2097152\n"), 2097152u);
  EXPECT_EQ(huge("always [madvise] never\n", "2097152\n"), 2097152u);
  EXPECT_EQ(huge("always madvise [never]\n", "2097152\n"), 0u);
  EXPECT_EQ(huge("", ""), 0u);
  EXPECT_EQ(huge("[always] madvise never\n", "3000000\n"), 0u);
  EXPECT_TRUE(parse_page_sizes(4096, "[always] madvise never", "2097152").unasked);
  EXPECT_FALSE(parse_page_sizes(4096, "always [madvise] never", "2097152").unasked);
}

TEST(kernel_text, this_process_may_use_a_node) {
  const auto nodes = allowed_nodes();
  ASSERT_TRUE(nodes.has_value());
  EXPECT_FALSE(nodes->empty());
}

}  // namespace
}  // namespace jackdaw::numa
