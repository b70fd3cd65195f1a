#include "sim/memory/side_cache.hpp"

#include <gtest/gtest.h>

#include <jackdaw/error.hpp>

#include <map>
#include <random>

#include "sim/machines.hpp"
#include "sim/memory/memory.hpp"
#include "sim/memory/traffic.hpp"

namespace jackdaw::sim {
namespace {

constexpr std::uint64_t all = 0xff;
constexpr std::uint64_t side_kib = 1024;

TEST(side_cache, has_what_was_read_until_its_place_is_taken) {
  side_cache of(2, 8 * 8, 8);  // two pages of eight
  EXPECT_EQ(of.read(8, 0x0f).hits, 0u);
  EXPECT_EQ(of.read(8, all).hits, 0x0fu);
  EXPECT_EQ(of.read(16, all).hits, 0u);  // page 2 has the other place
  EXPECT_EQ(of.read(8, all).hits, all);
  EXPECT_EQ(of.read(24, all).hits, 0u);  // page 3 takes page 1's
  EXPECT_EQ(of.read(8, all).hits, 0u);
  EXPECT_EQ(of.read(16, all).hits, all);
  of.check();
}

TEST(side_cache, spills_what_was_written) {
  side_cache of(1, 8 * 4, 8);
  EXPECT_EQ(of.write(3, 0x03).spilled, 0u);
  EXPECT_EQ(of.read(3, 0x07).hits, 0x03u);
  EXPECT_EQ(of.read(11, all).spilled, 0x03u);
  EXPECT_EQ(of.read(3, all).spilled, 0u);
  of.check();
}

/// The same rules without frames or places: the last block in each place, found by a search.
TEST(side_cache, agrees_with_a_list) {
  std::mt19937 random(7);
  constexpr std::uint64_t size = 5, pages = 23, per_page = 4;
  side_cache of(size, pages * per_page, per_page);
  std::vector<std::uint64_t> order;  // of first accesses to pages
  struct line {
    std::uint64_t page = pages;
    bool dirty = false;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::array<line, 8>> places;
  for (int i = 0; i < 20000; ++i) {
    const auto block = static_cast<std::uint32_t>(random() % (pages * per_page));
    const std::uint64_t lines = 1 | (random() & all), page = block / per_page;
    if (std::find(order.begin(), order.end(), page) == order.end()) order.push_back(page);
    const auto frame = static_cast<std::uint64_t>(std::find(order.begin(), order.end(), page) - order.begin());
    auto& there = places[{frame % size, block % per_page}];
    const bool other =
        std::any_of(there.begin(), there.end(), [&](const line& l) { return l.page != pages && l.page != page; });
    std::uint64_t spilled = 0, hits = 0;
    for (unsigned l = 0; l < 8; ++l) {
      if (other && there[l].dirty) spilled |= 1U << l;
      if (other) there[l] = {};
      if ((lines >> l & 1) != 0 && there[l].page == page) hits |= 1U << l;
    }
    const bool write = random() % 3 == 0;
    for (unsigned l = 0; l < 8; ++l)
      if ((lines >> l & 1) != 0) there[l] = {page, there[l].dirty || write};
    const side_cache::result got = write ? of.write(block, lines) : of.read(block, lines);
    ASSERT_EQ(got.spilled, spilled);
    if (!write) {
      ASSERT_EQ(got.hits, hits);
    }
  }
  of.check();
}

/// One core without other caches, DRAM of 32 GB/s and 100 ns, in front of it HBM of 64 GB/s and 120 ns.
machine_model cached_machine(std::uint64_t size) {
  machine_model m = small_machine(1, 1);
  m.private_cache = m.shared_cache = {};
  m.local_rate = 10;
  m.nodes[0].cached = {.size = size, .bandwidth = 64, .latency = 120, .rate = 12};
  return m;
}

/// ns of each pass over `length` bytes.
std::vector<double> passes(const machine_model& machine, std::uint64_t length, int count,
                           std::uint64_t* hits = nullptr) {
  const std::vector<trace::access> recorded{{.address = 0, .length = length}};
  const routes ways(machine);
  const address_space space(recorded, machine.block, machine.page);
  memory at(machine, ways, space, {});
  traffic moving(ways, 1);
  std::vector<double> took;
  for (int pass = 0; pass < count; ++pass) {
    const double began = moving.time();
    transfers out;
    at.touch(0, space.accesses(0, 1), out);
    for (const transfer& each : out) {
      moving.start(0, each.route, each.bytes, moving.time());
      while (moving.finish() == traffic::none) {
      }
    }
    took.push_back(moving.time() - began);
    moving.check();
    at.check();
  }
  if (hits != nullptr) *hits = at.counters(0).from_side;
  return took;
}

TEST(side_cache, gives_its_rate_after_the_first_pass_if_the_data_fit) {
  constexpr std::uint64_t length = 256 * side_kib;
  const std::vector<double> took = passes(cached_machine(length), length, 3);
  EXPECT_DOUBLE_EQ(took[0], 100 + length / 10.0);
  EXPECT_DOUBLE_EQ(took[1], 120 + length / 12.0);
  EXPECT_DOUBLE_EQ(took[2], took[1]);
}

TEST(side_cache, has_nothing_of_data_of_twice_its_size) {
  constexpr std::uint64_t length = 256 * side_kib;
  std::uint64_t hits = 0;
  const std::vector<double> took = passes(cached_machine(length / 2), length, 3, &hits);
  EXPECT_EQ(hits, 0u);
  EXPECT_DOUBLE_EQ(took[2], 100 + length / 10.0);
}

/// With half as much again, pages of the middle third have their places for themselves.
TEST(side_cache, has_a_third_of_data_that_are_half_as_large_again) {
  constexpr std::uint64_t length = 384 * side_kib;
  std::uint64_t hits = 0;
  const std::vector<double> took = passes(cached_machine(256 * side_kib), length, 3, &hits);
  EXPECT_EQ(hits, 2 * length / 3);
  EXPECT_NEAR(took[2], 100 + 2 * length / 3 / 10.0 + 120 + length / 3 / 12.0, 1e-6);
}

TEST(side_cache, is_filled_and_spilled_over_both_memories) {
  machine_model m = cached_machine(4096);
  m.nodes[0].bandwidth = 4;
  const routes ways(m);
  EXPECT_EQ(ways.side_of(0), 1u);
  const auto passed = [&](std::uint16_t route) {
    std::vector<resource::kind> kinds;
    for (const std::uint16_t step : ways.steps(route)) kinds.push_back(ways.resources()[step].what);
    return kinds;
  };
  using kind = resource::kind;
  EXPECT_EQ(passed(ways.memory(0, 0)), (std::vector{kind::node, kind::side_cache}));
  EXPECT_EQ(passed(ways.memory(1, 0)), (std::vector{kind::side_cache}));
  EXPECT_EQ(passed(ways.write_back(0, 1)), (std::vector{kind::side_cache}));
  EXPECT_EQ(passed(ways.write_back(0, 0)), (std::vector{kind::node, kind::side_cache}));
  const std::vector<double> took = passes(m, 256 * side_kib, 2);
  EXPECT_DOUBLE_EQ(took[1], 100 + 256 * side_kib / 4.0);
}

TEST(side_cache, spills_over_no_link) {
  machine_model m = small_machine(2, 1);
  m.nodes[1].cached = {.size = 4096, .bandwidth = 64};
  const routes ways(m);
  EXPECT_EQ(ways.steps(ways.write_back(0, 1)).size(), 2u);                // node 1 and its cache
  EXPECT_EQ(ways.steps(ways.write_back(0, ways.side_of(1))).size(), 2u);  // the cache and a link
  EXPECT_EQ(ways[ways.memory(ways.side_of(1), 0)].latency, 150);          // as the node's
}

TEST(side_cache, writes_stay_in_it) {
  machine_model m = cached_machine(64 * side_kib);
  m.private_cache = {.size = 8 * side_kib, .rate = 50, .latency = 4};
  const std::vector<trace::access> recorded{{.address = 0, .length = 64 * side_kib, .write = true}};
  const routes ways(m);
  const address_space space(recorded, m.block, m.page);
  memory at(m, ways, space, {});
  const auto moved = [&](std::uint16_t route) {
    transfers out;
    at.touch(0, space.accesses(0, 1), out);
    double sum = 0;
    for (const transfer& each : out) sum += each.route == route ? each.bytes : 0;
    return sum;
  };
  EXPECT_EQ(moved(ways.write_back(0, 1)), 56 * side_kib);
  EXPECT_EQ(moved(ways.write_back(0, 1)), 64 * side_kib);
  EXPECT_EQ(moved(ways.write_back(0, 0)), 0);
  EXPECT_EQ(moved(ways.memory(0, 0)), 0);
  EXPECT_EQ(at.total().from_node[0], 4 * 64 * side_kib);
  EXPECT_EQ(at.total().from_side, 3 * 64 * side_kib);
  at.check();
}

}  // namespace
}  // namespace jackdaw::sim
