#include "sim/memory/cache.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <list>
#include <random>

namespace jackdaw::sim {
namespace {

struct own_cache {
  explicit own_cache(std::uint64_t capacity, bool any = false)
      : memory(cache::footprint(capacity, 512)), at(capacity, 512, memory, nullptr, any) {}
  zero_memory memory;
  cache at;
};

TEST(count_lines, counts_bits) {
  std::mt19937_64 random(3);
  EXPECT_EQ(count_lines(0), 0);
  EXPECT_EQ(count_lines(~std::uint64_t{0}), 64);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t lines = random();
    ASSERT_EQ(count_lines(lines), static_cast<unsigned>(__builtin_popcountll(lines)));
  }
}

TEST(cache, of_no_size_has_nothing) {
  own_cache own(0);
  cache& none = own.at;
  EXPECT_FALSE(none.exists());
  EXPECT_EQ(none.find(0), nullptr);
  EXPECT_EQ(cache::footprint(0, 512), 0);
  none.check();
}

TEST(cache, counts_the_lines_that_are_there_only) {
  own_cache own(1024);
  cache& c = own.at;
  c.fill(c.add(5), 0b11);
  EXPECT_EQ(c.resident(), 128);
  c.fill(*c.find(5), 0b110);
  EXPECT_EQ(c.resident(), 192);
  EXPECT_TRUE(c.drop(*c.find(5), 0b1010));
  EXPECT_EQ(c.resident(), 128);
  EXPECT_FALSE(c.drop(*c.find(5), 0b101));
  EXPECT_EQ(c.find(5), nullptr);
  EXPECT_EQ(c.resident(), 0);
  c.check();
}

/// Data of size s that are used in turn, in a cache of size C: a part m misses for which m = 1 - exp(-m s / C).
TEST(cache, that_evicts_any_block_keeps_a_part_of_what_does_not_fit) {
  constexpr std::uint32_t blocks = 2000;
  for (const double excess : {1.1, 1.25, 2.0}) {
    own_cache own(blocks * 512, true);
    cache& c = own.at;
    const auto used = static_cast<std::uint32_t>(excess * blocks);
    std::uint64_t misses = 0;
    constexpr int passes = 60;
    for (int pass = 0; pass < passes; ++pass) {
      for (std::uint32_t block = 0; block < used; ++block) {
        if (c.find(block) != nullptr) continue;
        misses += pass >= passes / 2 ? 1 : 0;
        c.fill(c.add(block), 0xff);
        while (c.overfull()) c.evict();
      }
      c.check();
    }
    double expected = 0.5;
    for (int i = 0; i < 200; ++i) expected = 1 - std::exp(-expected * excess);
    EXPECT_NEAR(static_cast<double>(misses) / (passes / 2.0 * used), expected, 0.03) << excess;
  }
}

TEST(cache, evicts_the_least_recently_used_block) {
  own_cache own(3 * 512);
  cache& c = own.at;
  for (const std::uint32_t block : {1, 2, 3}) c.fill(c.add(block), 0xff);
  c.use(*c.find(1));
  EXPECT_FALSE(c.overfull());
  c.fill(c.add(4), 0x01);
  EXPECT_TRUE(c.overfull());
  EXPECT_EQ(c.evict().block, 2);
  EXPECT_FALSE(c.overfull());
  c.check();
}

TEST(cache, has_room_for_whole_blocks_and_grows_only_for_parts_of_blocks) {
  own_cache own(64 * 512);
  EXPECT_LT(cache::footprint(64 * 512, 512), 4096);
  for (std::uint32_t block = 0; block < 64; ++block) own.at.fill(own.at.add(block), 0xff);
  EXPECT_EQ(own.at.grown(), 0);
  while (own.at.evict().block != 63) {
  }
  for (std::uint32_t block = 0; block < 512; ++block) own.at.fill(own.at.add(block), 0x10);
  EXPECT_EQ(own.at.resident(), own.at.capacity());
  EXPECT_GT(own.at.grown(), 0);
  own.at.check();
  for (std::uint32_t block = 0; block < 512; ++block) ASSERT_EQ(own.at.evict().block, block);
}

/// Against a list that is searched from its beginning, with tables that have to grow and to close their gaps.
class cache_against_list : public testing::TestWithParam<std::pair<std::uint64_t, unsigned>> {};

TEST_P(cache_against_list, does_the_same) {
  const auto [capacity, range] = GetParam();
  std::mt19937 random(11);
  own_cache own(capacity);
  cache& c = own.at;
  std::list<cache::entry> model;  // the most recently used first
  const auto resident = [&] {
    std::uint64_t sum = 0;
    for (const cache::entry& each : model) sum += std::uint64_t{64} * count_lines(each.lines);
    return sum;
  };
  for (int step = 0; step < 20000; ++step) {
    const std::uint32_t block = random() % range * (step % 3 == 0 ? 8 : 1);
    // Long phases with small parts of many blocks alternate with large parts of few.
    const std::uint64_t lines = step / 2500 % 2 == 0 ? 1U << random() % 8 : 0xff & random();
    if (lines == 0) continue;
    const auto known = std::find_if(model.begin(), model.end(), [&](const auto& of) { return of.block == block; });
    cache::entry* at = c.find(block);
    ASSERT_EQ(at == nullptr, known == model.end()) << step;
    if (random() % 10 == 0) {
      if (at == nullptr) continue;
      const bool left = c.drop(*at, lines);
      known->lines &= ~lines;
      known->dirty &= ~lines;
      ASSERT_EQ(left, known->lines != 0);
      if (!left) model.erase(known);
    } else {
      const bool dirty = random() % 2 == 0;
      if (at == nullptr) {
        at = &c.add(block);
        model.push_front({.block = block});
      } else {
        ASSERT_EQ(at->lines, known->lines);
        ASSERT_EQ(at->dirty, known->dirty);
        c.use(*at);
        model.splice(model.begin(), model, known);
      }
      c.fill(*at, lines);
      model.front().lines |= lines;
      if (dirty) {
        at->dirty |= lines;
        model.front().dirty |= lines;
      }
      while (c.overfull()) {
        const cache::entry old = c.evict();
        ASSERT_EQ(old.block, model.back().block);
        ASSERT_EQ(old.lines, model.back().lines);
        ASSERT_EQ(old.dirty, model.back().dirty);
        model.pop_back();
      }
      ASSERT_LE(c.resident(), capacity);
    }
    ASSERT_EQ(c.resident(), resident());
    if (step % 100 == 0) c.check();
  }
  auto expected = model.begin();
  c.for_each([&](const cache::entry& each) { EXPECT_EQ(each.block, (expected++)->block); });
  EXPECT_EQ(expected, model.end());
}

INSTANTIATE_TEST_SUITE_P(sizes, cache_against_list,
                         testing::Values(std::pair{std::uint64_t{64}, 4U}, std::pair{std::uint64_t{512}, 20U},
                                         std::pair{std::uint64_t{16384}, 100U}, std::pair{std::uint64_t{16384}, 1000U},
                                         std::pair{std::uint64_t{32768}, 100000U}));

}  // namespace
}  // namespace jackdaw::sim
