// A node that runs full. Only small nodes are filled: in a virtual machine made for that.
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

using test::mib;

constexpr std::size_t most_to_fill = 1024 * mib;
constexpr std::size_t left_free = 24 * mib;

/// A node that can be filled, preferably one without processors; the others together have room for its other contents.
std::optional<unsigned> node_to_fill(const std::vector<numa::node_view>& nodes) {
  if (nodes.size() < 2 || test::numa_calls_are_refused()) return std::nullopt;
  std::optional<unsigned> found;
  for (const numa::node_view& node : nodes) {
    if (node.room <= most_to_fill && node.room > 2 * left_free && node.cpu_less) found = node.os;
  }
  return found;
}

/// Holds all of a node's memory except about left_free until its destruction.
class filler {
 public:
  explicit filler(unsigned node) {
    for (;;) {
      const std::size_t free = numa::free_bytes(node).value_or(0);
      if (free <= left_free + mib) return;
      const std::size_t more = std::min<std::size_t>(free - left_free, 16 * mib);
      blocks_.emplace_back(more, placement::on(node).with_pages(page_choice::base));
      placed_memory& block = blocks_.back();
      test::touch_all(block);
      if (where(block.data(), block.size()).on(node) < block.size()) return;
    }
  }

 private:
  std::vector<placed_memory> blocks_;
};

constexpr std::size_t bytes = 64 * mib, count = bytes / sizeof(std::uint64_t);

void fastest_overflows_to_the_next_node(unsigned full, const std::vector<numa::node_view>& nodes) {
  std::vector<node_bandwidth> bandwidths;
  for (const numa::node_view& node : nodes) bandwidths.push_back({node.os, node.os == full ? 100.0 : 10.0});
  placed_array<std::uint64_t> words(count,
                                    placement::fastest(placement::unlimited, bandwidths).with_pages(page_choice::base));
  test::fill(words.data(), count);
  std::size_t planned = 0;
  for (const placed_piece& piece : words.report().pieces) planned += piece.nodes[0] == full ? piece.bytes : 0;
  EXPECT_LE(planned, left_free + 2 * mib) << words.report().text();
  EXPECT_GT(planned, mib) << words.report().text();
  const page_locations now = where(words);
  EXPECT_LE(now.on(full), planned) << now.text();
  EXPECT_GT(now.on(full), planned / 2) << now.text();
  EXPECT_EQ(now.untouched + now.unknown, 0u);
  EXPECT_TRUE(test::is_intact(words.data(), count));
}

void more_than_fits_ends_up_on_other_nodes(unsigned full) {
  placed_array<std::uint64_t> words(count, placement::on(full).with_pages(page_choice::base));
  EXPECT_FALSE(words.report().as_asked()) << "the plan knows that it does not fit";
  test::fill(words.data(), count);
  const page_locations now = where(words);
  EXPECT_LT(now.on(full), bytes) << now.text();
  EXPECT_EQ(now.untouched + now.unknown, 0u);
  EXPECT_TRUE(test::is_intact(words.data(), count));
}

void migration_stops_half_way_and_says_where(unsigned full, unsigned home) {
  placed_array<std::uint64_t> words(count, placement::on(home).with_pages(page_choice::base));
  test::fill(words.data(), count);
  const migration result = migrate(words, full);
  EXPECT_FALSE(result.complete());
  EXPECT_TRUE(result.error == ENOMEM || result.error == EBUSY) << result.text();
  EXPECT_EQ(result.node, full);
  EXPECT_GT(result.moved, 0u);
  EXPECT_EQ(result.moved + result.already_there + result.failed, bytes);
  EXPECT_EQ(where(words).on(full), result.moved + result.already_there);
  std::size_t stayed = 0;
  for (const migration::left_behind& each : result.stayed) {
    EXPECT_EQ(
        where(words.data() + each.offset / sizeof(std::uint64_t), each.bytes).on(static_cast<unsigned>(each.node)),
        each.bytes);
    stayed += each.bytes;
  }
  EXPECT_EQ(stayed, result.failed);
  EXPECT_TRUE(test::is_intact(words.data(), count));
}

// One test: under emulation it takes half a minute to fill a node.
TEST(numa_full, loses_nothing) {
  const std::vector<numa::node_view> nodes = test::usable_nodes();
  const std::optional<unsigned> full = node_to_fill(nodes);
  if (!full) GTEST_SKIP() << "no node of at most 1 GiB without processors that mbind may fill";
  const filler here(*full);
  fastest_overflows_to_the_next_node(*full, nodes);
  more_than_fits_ends_up_on_other_nodes(*full);
  migration_stops_half_way_and_says_where(*full, nodes[0].os == *full ? nodes[1].os : nodes[0].os);
}

}  // namespace
}  // namespace jackdaw
