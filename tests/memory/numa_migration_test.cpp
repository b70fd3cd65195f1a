// Pages that move, read back from the kernel.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "memory/numa_nodes.hpp"

namespace jackdaw {
namespace {

using test::mib;

constexpr std::size_t words_moved = 4 * mib / sizeof(std::uint64_t);

void expect_on(const placed_array<std::uint64_t>& words, unsigned node) {
  const page_locations now = where(words);
  EXPECT_EQ(now.on(node), 4 * mib) << now.text();
}

TEST(numa_migration, there_and_back_with_the_data_intact) {
  const auto nodes = test::usable_nodes();
  const unsigned home = nodes[0].os;
  placed_array<std::uint64_t> words(words_moved, placement::on(home).with_pages(page_choice::base));
  test::fill(words.data(), words_moved);
  expect_on(words, home);
  for (const numa::node_view& node : nodes) {
    for (const unsigned to : {node.os, home}) {
      const page_locations before = where(words);
      const migration result = migrate(words, to);
      EXPECT_EQ(result.moved + result.already_there + result.failed, 4 * mib);
      if (test::numa_calls_are_refused() && to != home) {
        EXPECT_EQ(result.error, EPERM) << result.text();
        EXPECT_EQ(result.failed, 4 * mib);
        ASSERT_EQ(result.stayed.size(), 1u);
        EXPECT_EQ(result.stayed[0], (migration::left_behind{0, 4 * mib, static_cast<int>(home)}));
        expect_on(words, home);
      } else {
        EXPECT_TRUE(result.complete()) << result.text();
        EXPECT_EQ(result.already_there, before.on(to));
        expect_on(words, to);
      }
      EXPECT_TRUE(test::is_intact(words.data(), words_moved));
    }
  }
}

TEST(numa_migration, skips_pages_without_memory) {
  const unsigned home = test::usable_nodes()[0].os;
  placed_memory memory(64 * base_page_size(), placement::first_touch().with_pages(page_choice::base));
  memory.data()[7 * base_page_size()] = std::byte{1};
  const migration result = migrate(memory.data(), memory.size(), home);
  EXPECT_EQ(result.untouched, 63 * base_page_size()) << result.text();
  EXPECT_EQ(where(memory.data(), memory.size()).untouched, 63 * base_page_size());
  EXPECT_EQ(result.moved + result.already_there + result.failed, base_page_size());
}

TEST(numa_migration, of_memory_that_is_written_meanwhile_loses_nothing) {
  const auto nodes = test::usable_nodes();
  placed_array<std::uint64_t> words(words_moved, placement::on(nodes[0].os).with_pages(page_choice::base));
  test::fill(words.data(), words_moved);
  std::atomic<bool> ended{false};
  std::uint64_t rounds = 0;
  std::thread writer([&] {
    do {
      for (std::size_t i = 0; i < words_moved; i += 64) words[i] += 1;
      ++rounds;
    } while (!ended);
  });
  for (const numa::node_view& node : nodes) {
    const migration result = migrate(words, node.os);
    EXPECT_EQ(result.moved + result.already_there + result.failed, 4 * mib);
  }
  ended = true;
  writer.join();
  for (std::size_t i = 0; i < words_moved; ++i) {
    ASSERT_EQ(words[i], test::word_at(i) + (i % 64 == 0 ? rounds : 0));
  }
}

}  // namespace
}  // namespace jackdaw
