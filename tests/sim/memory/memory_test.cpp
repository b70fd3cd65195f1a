#include "sim/memory/memory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "sim/machines.hpp"

namespace jackdaw::sim {
namespace {

using trace::access;

constexpr std::uint64_t kib = 1024;

/// A machine, and accesses that cores make by their number.
struct simulated {
  simulated(machine_model m, std::vector<access> recorded, const policy& rule = {})
      : machine(std::move(m)),
        ways(machine),
        space(recorded, machine.block, machine.page),
        at(machine, ways, space, rule) {}

  transfers touch(unsigned core, std::uint64_t first, std::uint64_t count = 1) {
    transfers out;
    at.touch(core, space.accesses(first, count), out);
    return out;
  }
  /// Bytes of each route of one touch, by route.
  std::map<unsigned, double> moved(unsigned core, std::uint64_t first, std::uint64_t count = 1) {
    std::map<unsigned, double> sum;
    for (const transfer& each : touch(core, first, count)) {
      EXPECT_EQ(sum.count(each.route), 0) << "a route twice";
      sum[each.route] = each.bytes;
    }
    return sum;
  }

  machine_model machine;
  routes ways;
  address_space space;
  memory at;
};

using bytes = std::map<unsigned, double>;

TEST(memory, reads_come_from_the_node_and_then_cost_nothing) {
  simulated s(small_machine(), {{.address = 0, .length = 10000}}, {.what = policy::kind::bind, .nodes = {1}});
  EXPECT_EQ(s.moved(0, 0), (bytes{{s.ways.memory(1, 0), 10048}}));
  EXPECT_EQ(s.moved(0, 0), bytes{});
  EXPECT_EQ(s.moved(4, 0), (bytes{{s.ways.memory(1, 1), 10048}}));
  const memory_counters& core = s.at.counters(0);
  EXPECT_EQ(core.blocks, 40);
  EXPECT_EQ(core.lines, 314);
  EXPECT_EQ(core.private_misses, 157);
  EXPECT_EQ(core.shared_misses, 157);
  EXPECT_EQ(core.from_private, 10048);
  EXPECT_EQ(core.from_node, (std::vector<std::uint64_t>{0, 10048}));
  EXPECT_EQ(s.at.total().lines, 471);
  s.at.check();
  s.at.reset_counters();
  EXPECT_EQ(s.at.total().lines, 0);
}

TEST(memory, first_touch_is_that_of_simulated_time) {
  simulated s(small_machine(), {{.address = 0, .length = 4096}, {.address = 0, .length = 8192}});
  EXPECT_EQ(s.moved(5, 0), (bytes{{s.ways.memory(1, 1), 4096}}));
  EXPECT_EQ(s.moved(0, 1), (bytes{{s.ways.memory(1, 0), 4096}, {s.ways.memory(0, 0), 4096}}));
}

TEST(memory, a_halo_installs_the_lines_that_it_touches) {
  // One float left of each of 16 rows, each in a block of its own.
  simulated s(small_machine(),
              {{.address = 508, .length = 4, .stride = 1024, .rows = 16}, {.address = 0, .length = 16 * kib}});
  EXPECT_EQ(s.moved(0, 0), (bytes{{s.ways.memory(0, 0), 16 * 64}}));
  EXPECT_EQ(s.at.hierarchy().private_of(0).resident(), 16 * 64);
  EXPECT_EQ(s.moved(0, 1), (bytes{{s.ways.memory(0, 0), 16 * kib - 16 * 64}}));
}

TEST(memory, dirty_data_come_from_the_other_sockets_cache_over_the_link) {
  simulated s(small_machine(), {{.address = 0, .length = 4096, .write = true}, {.address = 0, .length = 4096}});
  s.touch(0, 0);
  EXPECT_EQ(s.moved(4, 1), (bytes{{s.ways.cache(0, 1), 4096}}));
  EXPECT_EQ(s.moved(1, 1), (bytes{{s.ways.shared(0), 4096}}));
  EXPECT_EQ(s.moved(4, 0), bytes{});  // has the data, and now alone
  EXPECT_EQ(s.moved(0, 1), (bytes{{s.ways.cache(1, 0), 4096}}));
  EXPECT_EQ(s.at.counters(4).from_socket, (std::vector<std::uint64_t>{4096, 0}));
  EXPECT_EQ(s.at.counters(1).from_shared, 4096);
  EXPECT_EQ(s.at.counters(1).shared_misses, 0);
  s.at.check();
}

TEST(memory, dirty_data_are_written_back_to_the_node_of_their_page) {
  // 1 MiB through 64 KiB private and 256 KiB shared: what does not fit must have been written back, to node 1.
  simulated s(small_machine(), {{.address = 0, .length = 1024 * kib, .write = true}},
              {.what = policy::kind::bind, .nodes = {1}});
  const bytes moved = s.moved(0, 0);
  EXPECT_EQ(moved, (bytes{{s.ways.memory(1, 0), 1024 * kib}, {s.ways.write_back(0, 1), (1024 - 64 - 256) * kib}}));
  EXPECT_EQ(s.at.counters(0).to_node, (std::vector<std::uint64_t>{0, (1024 - 64 - 256) * kib}));
  EXPECT_EQ(s.at.hierarchy().private_of(0).resident(), 64 * kib);
  EXPECT_EQ(s.at.hierarchy().shared_of(0).resident(), 256 * kib);
  s.at.check();
}

TEST(memory, what_is_updated_in_place_is_fetched_once) {
  simulated s(small_machine(),
              {{.address = 0, .length = 1024 * kib}, {.address = 0, .length = 1024 * kib, .write = true}});
  EXPECT_EQ(s.moved(0, 0, 2),
            (bytes{{s.ways.memory(0, 0), 1024 * kib}, {s.ways.write_back(0, 0), (1024 - 64 - 256) * kib}}));
  // Two leaves, one that reads and one that writes, are two passes.
  simulated two(small_machine(),
                {{.address = 0, .length = 1024 * kib}, {.address = 0, .length = 1024 * kib, .write = true}});
  two.touch(0, 0);
  EXPECT_EQ(two.moved(0, 1)[two.ways.memory(0, 0)], 1024 * kib);
  s.at.check();
}

/// Heat-like: both grids of `side` by `side` floats, tiles of 16 by 16, rows 64 bytes longer than they need be.
std::vector<access> heat(std::uint64_t side) {
  const std::uint64_t row = side * 4 + 64;
  std::vector<access> accesses;
  for (std::uint64_t i = 0; i < side / 16; ++i)
    for (std::uint64_t j = 0; j < side / 16; ++j) {
      const std::uint64_t at = (1 + i * 16) * row + 32 + j * 64;
      accesses.push_back({.address = at - row - 4, .length = 72, .stride = row, .rows = 18});
      accesses.push_back(
          {.address = (std::uint64_t{1} << 20) + at, .length = 64, .stride = row, .rows = 16, .write = true});
    }
  return accesses;
}

TEST(memory, a_second_sweep_of_what_fits_has_no_misses) {
  simulated s(small_machine(), heat(80));  // twice 30 KB
  const std::uint64_t all = s.space.bytes() > 0 ? heat(80).size() : 0;
  for (std::uint64_t leaf = 0; leaf < all; leaf += 2) s.touch(0, leaf, 2);
  ASSERT_GT(s.at.counters(0).private_misses, 0);
  const std::uint64_t before = s.at.counters(0).private_misses;
  for (std::uint64_t leaf = 0; leaf < all; leaf += 2) EXPECT_EQ(s.moved(0, leaf, 2), bytes{});
  EXPECT_EQ(s.at.counters(0).private_misses, before);
  s.at.check();
}

TEST(memory, a_second_sweep_of_twice_the_private_cache_misses_everything) {
  simulated s(small_machine(), {{.address = 0, .length = 128 * kib}});
  EXPECT_EQ(s.moved(0, 0), (bytes{{s.ways.memory(0, 0), 128 * kib}}));
  EXPECT_EQ(s.moved(0, 0), (bytes{{s.ways.shared(0), 128 * kib}}));
  EXPECT_EQ(s.at.counters(0).private_misses, 2 * 128 * kib / 64);
  EXPECT_EQ(s.at.counters(0).shared_misses, 128 * kib / 64);
}

TEST(memory, heat_leaves_share_no_lines_by_mistake) {
  // Two cores have half the columns each: blocks on the border hold lines of both. After the first two steps nothing
  // but the border's columns moves: what the one reads of what the other has written, 64 bytes for each row.
  const std::uint64_t row = 4096 + 64;
  const auto half = [&](std::uint64_t from, std::uint64_t to, std::uint64_t column) {
    return std::vector<access>{
        {.address = from + row + column * 256 - (column > 0 ? 64 : 0), .length = 320, .stride = row, .rows = 16},
        {.address = to + row + column * 256, .length = 256, .stride = row, .rows = 16, .write = true}};
  };
  std::vector<access> accesses;
  constexpr std::uint64_t other = std::uint64_t{1} << 20;
  for (const auto& each : {half(0, other, 0), half(0, other, 1), half(other, 0, 0), half(other, 0, 1)})
    accesses.insert(accesses.end(), each.begin(), each.end());
  simulated s(small_machine(), accesses);
  for (std::uint64_t step = 0; step < 2; ++step) {
    s.touch(0, step * 4, 2);
    s.touch(4, step * 4 + 2, 2);
  }
  for (std::uint64_t step = 0; step < 6; ++step) {
    EXPECT_EQ(s.moved(0, step % 2 * 4, 2), (bytes{{s.ways.cache(1, 0), 16 * 64}}));
    EXPECT_EQ(s.moved(4, step % 2 * 4 + 2, 2), (bytes{{s.ways.cache(0, 1), 16 * 64}}));
  }
  s.at.check();
}

TEST(memory, bytes_are_conserved_and_the_same_input_gives_the_same_output) {
  const auto run = [] {
    std::mt19937_64 random(21);
    std::vector<access> accesses;
    for (int i = 0; i < 400; ++i)
      accesses.push_back({.address = random() % 3000000,
                          .length = 1 + random() % 3000,
                          .stride = random() % 20000,
                          .rows = static_cast<std::uint32_t>(1 + random() % 20),
                          .write = random() % 3 == 0});
    simulated s(ring(), accesses);
    transfers all;
    double moved = 0;
    for (int i = 0; i < 2000; ++i) {
      transfers out;
      s.at.touch(static_cast<unsigned>(random() % 16), s.space.accesses(random() % 398, 2), out);
      for (const transfer& each : out) moved += each.bytes;
      all.insert(all.end(), out.begin(), out.end());
      if (i % 200 == 0) s.at.check();
    }
    s.at.check();
    const memory_counters total = s.at.total();
    double counted = static_cast<double>(total.from_shared);
    for (const auto* each : {&total.from_socket, &total.from_node, &total.to_node})
      for (const std::uint64_t sum : *each) {
        EXPECT_GT(sum, 0);
        counted += static_cast<double>(sum);
      }
    EXPECT_EQ(moved, counted);
    return all;
  };
  const transfers first = run();
  const transfers second = run();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(first[i].route, second[i].route);
    ASSERT_EQ(first[i].bytes, second[i].bytes);
  }
}

TEST(memory, large_machine_and_data_stay_below_two_gibibytes) {
  machine_model m = small_machine(4, 64);
  m.private_cache.size = 1024 * kib;
  m.shared_cache.size = 64 * 1024 * kib;
  for (machine_model::memory_node& node : m.nodes) node.capacity = std::uint64_t{64} << 30;
  const std::vector<access> accesses{{.address = 0, .length = std::uint64_t{16} << 30}};
  const routes ways(m);
  const address_space space(accesses, m.block, m.page);
  ASSERT_EQ(space.blocks(), std::uint64_t{32} << 20);
  const memory at(m, ways, space, {});
  EXPECT_LT(at.footprint() + space.footprint(), std::size_t{2} << 30);
  EXPECT_GT(at.footprint(), space.blocks() * 16);
}

}  // namespace
}  // namespace jackdaw::sim
